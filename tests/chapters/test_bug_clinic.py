"""The bug clinic: charts accept the tests that catch each case; a ward can be visited alone."""

import contextlib
import inspect
import io
import re

import pytest

import posenc_viz
from autograde.kit.catalogue import chapter_exercises
from tools.build.chapter_text import read_chapter
from tools.build.contents import ROOT

CHAPTER = "12_bug_clinic"


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Return a function that runs cells of code and returns the names they leave."""
    monkeypatch.setattr(posenc_viz, "explore", lambda *args, **settings: None)
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path))

    def run(cells):
        code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        names = {"__name__": "__main__"}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, CHAPTER, "exec"), names)
        return names

    return run


def sections():
    """Return the cells of the chapter by section; "" holds those before the first."""
    number, cells = "", {}
    for cell in read_chapter(ROOT / "chapters" / f"{CHAPTER}.py"):
        heading = re.search(r"^## (12\.\d+)", cell.source, re.MULTILINE)
        number = heading[1] if cell.cell_type == "markdown" and heading else number
        cells.setdefault(number, []).append(cell)
    return cells


def caught(run):
    """Run the chapter; return {case: the kinds of test that catch it}."""
    names = run([cell for cells in sections().values() for cell in cells])
    return {
        case: {name for name, content in row.items() if content is False}
        for case, row in names["found"].items()
    }


def test_each_chart_accepts_the_tests_that_catch_its_cases(run):
    accepted = {}
    for exercise in chapter_exercises(CHAPTER):
        for check in exercise.checks:
            if exercise.id.startswith("clinic_chart_") and check.name.startswith("test_"):
                chart = inspect.getclosurevars(check.run).nonlocals
                accepted[chart["number"]] = chart["catching"]
    assert len(accepted) == 21
    assert accepted == caught(run)


@pytest.mark.parametrize("ward", range(1, 6))
def test_a_ward_can_be_visited_alone(ward, run):
    cells = sections()
    names = run(cells[""] + cells["12.1"] + cells[f"12.{ward + 1}"])
    assert f"WARD_{ward}" in names
