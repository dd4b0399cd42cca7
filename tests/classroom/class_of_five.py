"""A class of five, the table of its grades, and how much of it is graded."""

from pathlib import Path

from nbgrader.api import Gradebook

from autograde.grading.regrade import stored_seed
from tests.classroom.one_chapter import (
    CHAPTER,
    FILE,
    blank_text,
    hand_in,
    solved_text,
    workbook,
)

STEPS = 8  # of four that can be graded: the notebook, and the line in the journal
SEED = "\nc.SubmittedNotebook.seed = 7  # the same inputs in every run\n"
Table = dict[str, dict[str, float | None]]


def make_class(course: Path) -> None:
    """Hand in for two who are right, one half, one blank and one whose file is cut in half."""
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(SEED)
    right, blank = solved_text(course), blank_text(course)
    half = workbook(course)
    half.solve(half.exercises[0])
    for number in range(2):
        hand_in(course, f"right{number}", right)
    hand_in(course, "half", half.text())
    hand_in(course, "blank", blank)
    hand_in(course, "broken", right[: len(right) // 2])


def table(course: Path) -> Table:
    """Return the points of each student and exercise, and the seed in the graded notebook."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        points = {
            one.student.id: {grade.name: grade.score for grade in one.grades}
            for one in gradebook.notebook_submissions(CHAPTER, CHAPTER)
        }
    seeds = {path.parts[-3]: stored_seed(path) for path in graded_notebooks(course)}
    return {who: {**of, "seed": seeds.get(who)} for who, of in sorted(points.items())}


def graded_notebooks(course: Path) -> list[Path]:
    """Return those that are in their places."""
    return list(course.glob(f"autograded/*/{CHAPTER}/{FILE}"))


def done(course: Path, *, repeat: bool = False) -> int:
    """Return how many of the `STEPS` are done, with `repeat` of grading a graded class again.

    A notebook that is graded again is taken away first: that counts one, its line another.
    """
    journal = course / "grading" / f"{CHAPTER}.jsonl"
    lines = journal.read_text(encoding="utf-8").count("\n") if journal.exists() else 0
    notebooks = len(graded_notebooks(course))
    return 2 * lines - notebooks - STEPS // 2 if repeat else lines + notebooks
