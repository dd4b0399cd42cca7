"""What is stored of the grading of a class; nothing is graded here."""

import json

from experiments import grading
from experiments.record import RESULTS, read


def test_a_class_on_a_cluster_is_shown_and_leaves_the_other_results_alone(
    monkeypatch, tmp_path, capsys
):
    path = tmp_path / "grading.json"
    before = read(RESULTS / path.name)
    path.write_text(json.dumps(before), encoding="utf-8")
    row = {"students": 1001, "seconds": 9.8}
    monkeypatch.setattr(grading, "RESULTS", tmp_path)
    monkeypatch.setattr(grading, "adopt_orphans", lambda: None)
    monkeypatch.setattr(grading, "cluster", lambda *_: row)
    arguments = ["--chapter", "05_rope", "--class-size", "1001", "--scheduler", "tls://here"]
    monkeypatch.setattr("sys.argv", ["grading", *arguments])
    grading.main()
    after = read(path)
    entry = after.pop("cluster")
    before.pop("cluster")
    assert after == before
    assert (entry["chapter"], entry["rows"]) == ("05_rope", [row])
    assert entry["machine"]["nbgrader"] == before["speed"]["machine"]["nbgrader"]
    assert "1001" in capsys.readouterr().out
