"""Demonstrations are skipped where no answer takes a name from them, and only there."""

from pathlib import Path

import nbformat
import pytest

from autograde.grading.demonstrations import demonstrations, names_of, not_needed
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
    skipped = not_needed([cell.source for cell in cells], demonstrations(path))
    assert skipped
    with Session(zygote, {}) as session:
        for cell in cells:
            task = graded_cell(cell)
            if task:
                verdict = session.verdict(task.exercise, task.answer, 3)
                assert verdict.full, (task.answer, verdict)
            elif cell.source not in skipped:
                session.run(cell.source)


def needed(answer):
    return [source for source in ALL if source not in not_needed([*ALL, answer], SHOWN)]


@pytest.mark.parametrize(
    ("answer", "wanted"),
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
def test_what_an_answer_reads_runs_and_what_that_reads(answer, wanted):
    assert needed(answer) == wanted


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
        "a" + ".b" * 40_000,
    ],
)
def test_where_names_cannot_be_told_everything_runs(answer):
    assert needed(answer) == ALL


def test_a_demonstration_that_a_student_changed_runs():
    changed = [*ALL[:5], "picture = rates(8)"]
    assert not_needed([*changed, "def f(x):\n    return x"], SHOWN) == {ALL[3], ALL[4], ALL[2]}


def test_a_course_without_the_chapters_source_skips_nothing(tmp_path):
    assert demonstrations(tmp_path / "none.ipynb") == {}
