"""What a class earned and why: nbgrader's gradebook, and the verdicts in the graded notebooks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import BaseCell, Grade, SubmittedAssignment
from nbgrader.apps import NbGraderAPI

from autograde.grading.cells import read_cells
from autograde.grading.diagnosis import UNSOLVED as UNSOLVED  # for readers of results
from autograde.grading.diagnosis import Cell, Diagnosis, diagnose_cells
from autograde.grading.files import NotGradable, read_notebook
from bilingual import Text

NOT_JSON = Text(
    en="the file is broken: it is not a notebook",
    zh="文件已损坏：不是notebook",
)
NO_FILE = Text(
    en="no file {name} was handed in",
    zh="没有提交名为{name}的文件",
)
NOT_GRADED = Text(en="nbgrader could not grade it", zh="nbgrader无法评分")


@dataclass(frozen=True)
class Result:
    """The points of one exercise, and what was wrong, if anything was.

    `by_hand`: a teacher has yet to grade it.
    """

    exercise: str
    score: float
    points: float
    finding: Diagnosis | None = None
    by_hand: bool = False

    @property
    def diagnosis(self) -> str | None:
        """Return the short name of what was wrong."""
        return self.finding.name if self.finding else None

    @property
    def sentence(self) -> Text | None:
        """Return the sentence on what was wrong."""
        return self.finding.sentence if self.finding else None


@dataclass(frozen=True)
class Submission:
    """What one student earned; `problem` says why there are no results."""

    student: str
    seconds_late: float
    score: float
    max_score: float
    results: tuple[Result, ...]
    problem: Text | None = None


def read_results(api: NbGraderAPI, chapter: str) -> list[Submission]:
    """Return the submissions of a chapter by student id, the exercises as the notebook has them."""
    order = released_order(api, chapter)
    with api.gradebook as gradebook:
        submitted = gradebook.assignment_submissions(chapter)
        return [
            _submission(api, one, order)
            for one in sorted(submitted, key=lambda one: one.student.id)
        ]


def released_order(api: NbGraderAPI, chapter: str) -> list[str]:
    """Return the names of nbgrader's cells in the order of the released notebook."""
    return list(_cells(_notebook(api, api.coursedir.release_directory, ".", chapter)) or {})


def _submission(api: NbGraderAPI, submitted: SubmittedAssignment, order: list[str]) -> Submission:
    student, chapter = submitted.student.id, submitted.assignment.name
    cells = _cells(_notebook(api, api.coursedir.autograded_directory, student, chapter))
    results: tuple[Result, ...] = ()
    problem = None
    if cells is not None:
        grades = [grade for notebook in submitted.notebooks for grade in notebook.grades]
        results = tuple(_result(grade, cells) for grade in sorted(grades, key=place(order)))
    else:
        problem = _problem(_notebook(api, api.coursedir.submitted_directory, student, chapter))
    late, score, most = submitted.total_seconds_late, submitted.score, submitted.max_score
    return Submission(student, late, score, most, results, problem)


def _notebook(api: NbGraderAPI, step: str, student: str, chapter: str) -> Path:
    return Path(api.coursedir.format_path(step, student, chapter)) / f"{chapter}.ipynb"


def place(order: list[str]) -> Callable[[BaseCell | Grade], tuple[int, str]]:
    """Return the key that sorts as the notebook does; what it does not have comes last, by name."""
    places = {name: number for number, name in enumerate(order)}
    return lambda cell: (places.get(cell.name, len(places)), cell.name)


def _cells(path: Path) -> dict[str, Cell] | None:
    """Return a notebook's cells by grade id, None if there is none or its writing was cut off."""
    try:
        # as JSON: nbgrader wrote it, and nbformat's checks are most of a large class's time
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    by_grade_id = ((cell["metadata"].get("nbgrader", {}).get("grade_id"), cell) for cell in cells)
    return {grade_id: cell for grade_id, cell in by_grade_id if grade_id}


def _problem(submitted: Path) -> Text:
    if not submitted.exists():
        return NO_FILE.format(name=submitted.name)
    try:
        read_cells(read_notebook(submitted))
    except NotGradable:
        return NOT_JSON
    return NOT_GRADED


def _result(grade: Grade, cells: dict[str, Cell]) -> Result:
    diagnosis = diagnose_cells(cells.get(grade.name), cells.get(f"{grade.name}-answer"))
    return Result(
        grade.name, grade.score, grade.cell.max_score, diagnosis, grade.needs_manual_grade
    )
