"""Demonstrations are skipped where no answer takes a name from them, and only there.

What takes no name from a student's cell is the same for all.
"""

from pathlib import Path

import nbformat
import pytest

from autograde.grading.demonstrations import (
    demonstrations,
    names_of,
    names_of_cells,
    not_needed,
    same_for_all,
)
from autograde.grading.notebook import graded_cell
from autograde.grading.session import Session

SOLUTIONS = sorted((Path(__file__).parents[3] / "solutions").glob("*/*.ipynb"))
SHOWN = {
    source: names_of(source)
    for source in (
        "import torch",
        "def rates(n):\n    return torch.ones(n)",
        "table = rates(3)",
        "table[0] = 2.0",
        "table.clamp_(0, 1)",
        "picture = rates(9)\nprint(picture)",
        "def other():\n    table = 3\n    return table",
    )
}
ALL = list(SHOWN)


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_every_solution_gets_full_marks_without_them(zygote, path):
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    demos = demonstrations(path)
    names = names_of_cells([cell.source for cell in cells], demos)
    assert same_for_all(names, demos) == demos.keys()  # no chapter shows what an answer gives
    skipped = not_needed(names, demos)
    assert skipped
    with Session(zygote, {}) as session:
        for cell in cells:
            task = graded_cell(cell)
            if task:
                verdict = session.verdict(task.exercise, task.answer, 3)
                assert verdict.full, (task.answer, verdict)
            elif cell.source not in skipped:
                session.run(cell.source)


def not_needed_beside(sources):
    return not_needed(names_of_cells(sources, SHOWN), SHOWN)


def needed(answer):
    return [source for source in ALL if source not in not_needed_beside([*ALL, answer])]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("def f(x):\n    return x", []),
        ("def f(x):\n    table = x\n    return table", []),  # a name of its own
        ("def f(x):\n    return torch.sin(x)", ALL[:1]),
        ("def f(x):\n    return [rates(i) for i in x]", ALL[:2]),
        ("def f(x):\n    return table", ALL[:5]),  # and what is done to it
        ("def f(x: torch.Tensor): ...", ALL[:1]),
        ("class A:\n    def f(self):\n        return rates", ALL[:2]),
    ],
)
def test_what_an_answer_reads_runs_and_what_that_reads(answer, expected):
    assert needed(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "f = eval('rates')",
        "f = globals()['rates']",
        "import sys\nf = sys.modules['__main__'].rates",
        "from helper import *",
        "%run helper.py",
        "def f(:",
        "print(_)",
        "f.__globals__",
        "x = 1  #" + "x" * 200_000,
        "(" * 100_000,
        "-" * 90_000 + "1",
    ],
)
def test_where_names_cannot_be_told_everything_runs(answer):
    assert needed(answer) == ALL


def test_what_is_too_deep_for_some_versions_of_python_gets_all_that_it_reads():
    assert {*needed("rates")} <= {*needed("rates\na" + ".b" * 40_000)}


def test_a_demonstration_that_a_student_changed_runs():
    changed = [*ALL[:5], "picture = rates(8)"]
    assert not_needed_beside([*changed, "def f(x):\n    return x"]) == {ALL[3], ALL[4], ALL[2]}


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ("def f(x):\n    table[0] = x", ALL[3:5]),  # it may be called
        ("table = None", ALL[3:5]),
        ("def f(x):\n    table = [x]\n    table[0] = 1", []),  # a name of its own
        ("def rates(n):\n    return n", ALL[2:6]),  # and what takes a name from those
        ("import torch", []),
        ("torch = None", ALL[1:6]),
        ("print(rates)", []),
        ("exec('rates = None')", ALL),
    ],
)
def test_what_a_student_writes_may_change_what_is_shown(own, others):
    same = same_for_all(names_of_cells([*ALL, own], SHOWN), SHOWN)
    assert [source for source in ALL if source not in same] == others


def test_a_course_without_the_chapters_source_skips_nothing(tmp_path):
    assert demonstrations(tmp_path / "none.ipynb") == {}
