"""`python -m experiments.feel`: an item runs alone, is shown with its aim and stored."""

import json

from experiments import feel


def test_an_item_is_shown_and_stored_beside_those_measured_before(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(feel, "RESULTS", tmp_path / "feel.json")
    monkeypatch.setattr("sys.argv", ["feel", "--only", "install"])
    (tmp_path / "feel.json").write_text('{"check": {}}', encoding="utf-8")
    feel.main()
    stored = json.loads((tmp_path / "feel.json").read_text(encoding="utf-8"))
    whole, torch = stored["install"]["rows"]
    assert 0 < torch["MB"] < whole["MB"]
    assert stored["install"]["machine"]["cores"] >= 1
    assert list(stored) == ["check", "install"]
    assert str(whole["aim"]) in capsys.readouterr().out
