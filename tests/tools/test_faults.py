"""The list of planted faults: each one has its place in this tree, and tests to find it."""

import ast
import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.faults import trial
from tools.faults.__main__ import Report, main
from tools.faults.fault import Fault, NoPlace, Place, digest_of, read_faults, sources

ROOT = Path(__file__).parents[2]
FAULTS = read_faults()


def test_every_planted_fault_has_one_place_and_still_parses():
    """Planted nowhere, a fault would be counted as found by nobody; two of one id as one."""
    texts, lost = sources(ROOT), []
    for fault in FAULTS:
        try:
            path, text = fault.planted(texts)
        except NoPlace as nowhere:
            lost.append(str(nowhere))
            continue
        assert text != texts[path], fault.id
        if path.endswith(".py"):
            ast.parse(text)
    assert lost == []


def test_every_fault_has_tests_and_a_name_of_its_own():
    files = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert {name for fault in FAULTS for name in fault.tests} <= files
    assert [name for name, count in Counter(one.id for one in FAULTS).items() if count > 1] == []


def test_there_are_enough_in_every_room():
    rooms = Counter(fault.room for fault in FAULTS)
    assert sum(rooms.values()) >= 60
    assert min(rooms.values()) >= 3, rooms


@pytest.mark.parametrize(
    ("was", "becomes", "text", "planted"),
    [
        ("a - b", "b - a", "c = a  -\n  b", "c = b - a"),
        ("if «x» is None: return «x»", "return «x»", "if it is None:\n    return it", "return it"),
        ("«x» == «x»", "True", "a == b; a == a", "a == b; True"),
    ],
)
def test_a_place_is_found_under_other_names_and_white_space(was, becomes, text, planted):
    place = Place(was, becomes)
    (match,) = place.pattern.finditer(text)
    assert place.replaced(text, match) == planted


def test_code_that_occurs_twice_is_refused():
    fault = Fault("twice", "room", "nothing", (Place("x = 1", "x = 2"),), ("test_a.py",))
    with pytest.raises(NoPlace, match="twice"):
        fault.planted({"a.py": "x = 1\nx = 1\n"})


def test_a_room_or_fault_that_there_is_not_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["tools.faults", "--only", "typo"])
    with pytest.raises(SystemExit):
        main()
    error = capsys.readouterr().err
    assert all(name in error for name in ("typo", FAULTS[0].room, FAULTS[-1].id))


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("posenc_glass/faults.py", True),
        ("tests/tools/test_faults.py", True),
        ("tools/faults/planted/posenc_glass.toml", False),
    ],
)
def test_a_changed_file_makes_another_tree_unless_it_plants_faults(
    tmp_path, monkeypatch, name, counts
):
    monkeypatch.setattr("tools.faults.fault.listed", lambda tree: [name])
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_text("one", encoding="utf-8")
    before = digest_of(tmp_path)
    file.write_text("two", encoding="utf-8")
    assert (digest_of(tmp_path) != before) == counts


def fault_that(becomes):
    return Fault("one", "room", "nothing", (Place("x = 1", becomes),), ("test_a.py",))


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """Return a tree of a module, its test and a conftest; this interpreter runs pytest in it."""
    for name, text in {
        "a.py": "x = 1\n",
        "tests/test_a.py": "from a import x\n\ndef test_x():\n    assert x == 1\n",
        "tests/conftest.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ["a.py", "tests/conftest.py", "tests/test_a.py"]
    monkeypatch.setattr("tools.faults.fault.listed", lambda tree: files)
    monkeypatch.setattr(trial, "python_of", lambda tree: Path(sys.executable))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # sooner done
    return tmp_path


@pytest.mark.parametrize(
    ("becomes", "verdict"),
    [
        ("x = 2", ("found", "tests/test_a.py::test_x")),
        ("y = 1", ("found", "tests/test_a.py")),  # what the test imports is not there
        ("x = 1 + 0", ("survived", "")),
        ("raise KeyboardInterrupt", ("unclear", "pytest's exit code 2")),
        ("import os; os._exit(3)", ("unclear", "pytest's exit code 3")),
    ],
)
def test_a_fault_is_found_by_a_test_that_fails_or_cannot_be_imported(copy, becomes, verdict):
    assert trial.try_fault(copy, fault_that(becomes)) == verdict
    assert (copy / "a.py").read_text(encoding="utf-8") == "x = 1\n"


def test_a_fault_is_found_by_a_conftest_that_cannot_be_imported(copy):
    conftest = copy / "tests" / "conftest.py"
    conftest.write_text("from a import x\n", encoding="utf-8")
    assert trial.try_fault(copy, fault_that("y = 1")) == ("found", str(conftest))


def test_tests_that_do_not_end_find_nothing(copy, monkeypatch):
    monkeypatch.setattr(trial, "SECONDS", 0.01)
    assert trial.try_fault(copy, fault_that("x = 2")) == ("unclear", "no end")
    assert trial.refusal(copy, fault_that("x = 2")) == "unclear"


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Return what opens the report of one tree again."""
    monkeypatch.setattr("tools.faults.__main__.digest_of", str)
    return lambda: Report(tmp_path / "faults.json", tmp_path)


def test_a_later_run_tries_again_what_was_unclear(report):
    clear, unclear = FAULTS[:2]
    first = report()
    first.add(clear, "survived", "", 1.0)
    first.add(unclear, "unclear", "no end", 1.0)
    assert first.results[unclear.id]["verdict"] == "unclear"
    assert [report().has(fault) for fault in (clear, unclear)] == [True, False]


def test_copies_report_at_the_same_time(report, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda file: None)  # sooner done
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        common = report()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda fault: common.add(fault, "found", "", 1.0), FAULTS))
    finally:
        sys.setswitchinterval(interval)
    assert json.loads(common.path.read_text(encoding="utf-8"))["results"] == common.results
    again = report()
    assert all(again.has(fault) for fault in FAULTS)
