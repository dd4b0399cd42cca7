"""`python -m experiments.feel`: an item runs alone, is shown with its aim and stored.

And what its numbers count: a package once, a command with no other.
"""

import json
import os
import subprocess
import sys

from experiments import feel, weight


def test_an_item_is_shown_and_stored_beside_those_measured_before(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(feel, "RESULTS", tmp_path / "feel.json")
    monkeypatch.setattr("os.environ", {**os.environ})  # it sets language and folder for all after
    monkeypatch.setattr("sys.argv", ["feel", "--only", "install"])
    (tmp_path / "feel.json").write_text('{"check": {}}', encoding="utf-8")
    feel.main()
    stored = json.loads((tmp_path / "feel.json").read_text(encoding="utf-8"))
    whole, torch = stored["install"]["rows"]
    assert 0 < torch["MB"] < whole["MB"]
    assert stored["install"]["machine"]["cores"] >= 1
    assert list(stored) == ["check", "install"]
    assert str(whole["aim"]) in capsys.readouterr().out


def test_a_package_that_is_spelt_in_two_ways_is_counted_once(monkeypatch):
    needs = {"course": ["Some_Package", "other"], "other": ["some-package"]}
    monkeypatch.setattr("importlib.metadata.requires", needs.get)
    assert weight._required("course") == {"course", "other", "some-package"}


COSTS = """
import sys
from pathlib import Path
from experiments.commands import MODULE, adopt_orphans, run
adopt_orphans()
large = run(Path(), *MODULE, "timeit", "-n1", "-r1", "b'x' * 2**28")
small = run(Path(), *MODULE, "this")
assert small.peak < 2**8 < large.peak, (small, large)
try:
    run(Path(), *MODULE, "this_fails")
except RuntimeError as error:
    assert "No module named this_fails" in str(error)
else:
    raise AssertionError
"""


def test_a_command_costs_what_it_takes_alone_and_one_that_fails_shows_its_output():
    # in a process that is small and has no other children
    subprocess.run([sys.executable, "-c", COSTS], check=True)
