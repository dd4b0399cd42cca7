"""`python -m experiments.feel`: an item runs alone, is shown with its aim and stored.

And what its numbers count: a package once, a command with no other.
"""

import json
import os
import subprocess
import sys
from urllib.error import URLError

import pytest

from experiments import feel, feel_items, weight


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


SERVER = """
import sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer
if {silent}:
    time.sleep(60)
port = int(sys.argv[2].removeprefix("--port="))
HTTPServer(("127.0.0.1", port), BaseHTTPRequestHandler).serve_forever()  # 501 to everything
"""


@pytest.mark.parametrize(("silent", "error"), [(False, "HTTP Error 501"), (True, "refused")])
def test_a_server_that_shows_no_page_is_not_waited_for(tmp_path, monkeypatch, silent, error):
    module = tmp_path / "course" / "tools" / "study" / "lab.py"
    module.parent.mkdir(parents=True)
    for package in (module.parent, module.parent.parent):
        (package / "__init__.py").touch()
    module.write_text(SERVER.format(silent=silent), encoding="utf-8")
    monkeypatch.setattr(feel_items, "LONGEST", 1 if silent else 60)
    with pytest.raises(URLError, match=error):
        feel_items._seconds_to_page(tmp_path / "course")


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
