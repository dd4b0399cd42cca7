"""The list of planted faults: each one has its place in this tree, and tests to find it."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tools.faults.fault import Fault, NoPlace, Place, listed, read_faults

ROOT = Path(__file__).parents[2]
FAULTS = read_faults()


def test_every_planted_fault_has_one_place_and_still_parses(monkeypatch):
    """Planted nowhere, a fault would be counted as found by nobody; two of one id as one."""
    monkeypatch.setattr("tools.faults.fault.listed", cache(listed))  # git, once for all
    lost = []
    for fault in FAULTS:
        try:
            path, text = fault.planted(ROOT)
        except NoPlace as nowhere:
            lost.append(str(nowhere))
            continue
        assert text != path.read_text(encoding="utf-8"), fault.id
        if path.suffix == ".py":
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
    (match,) = place.matches(text)
    assert place.replaced(text, match) == planted


def test_code_that_occurs_twice_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("tools.faults.fault.listed", lambda tree: ["a.py"])
    (tmp_path / "a.py").write_text("x = 1\nx = 1\n", encoding="utf-8")
    fault = Fault("twice", "room", "nothing", (Place("x = 1", "x = 2"),), ("test_a.py",))
    with pytest.raises(NoPlace, match="twice"):
        fault.planted(tmp_path)
