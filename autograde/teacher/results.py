"""What a class earned and why: nbgrader's gradebook, and the verdicts in the graded notebooks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import BaseCell, Grade, SubmittedAssignment
from nbgrader.apps import NbGraderAPI

from autograde.grading.diagnosis import UNSOLVED, Cell, Diagnosis, diagnose_cells
from autograde.teacher.course_folder import notebook_of
from autograde.teacher.problem import problem
from bilingual import Text

# nbgrader's own words for an answer that is as it was released
NO_RESPONSE = "No response."


@dataclass(frozen=True)
class Result:
    """The points of one exercise, and what was wrong, if anything was.

    by_hand: a teacher has yet to look at it. waiting: there are no points before that.
    """

    exercise: str
    score: float
    points: float
    finding: Diagnosis | None = None
    by_hand: bool = False
    waiting: bool = False

    @property
    def diagnosis(self) -> str | None:
        """Return the short name of what was wrong."""
        return self.finding.name if self.finding else None

    @property
    def sentence(self) -> Text | None:
        """Return the sentence on what was wrong."""
        return self.finding.sentence if self.finding else None


@dataclass(frozen=True)
class SubmissionResult:
    """What one student earned; `problem` says why there are no results."""

    student: str
    seconds_late: float
    score: float
    max_score: float
    results: tuple[Result, ...]
    problem: Text | None = None


def read_results(api: NbGraderAPI, chapter: str) -> list[SubmissionResult]:
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
    course = api.coursedir
    return list(cells_by_name(notebook_of(course, course.release_directory, ".", chapter)) or {})


def _submission(
    api: NbGraderAPI, submitted: SubmittedAssignment, order: list[str]
) -> SubmissionResult:
    student, chapter = submitted.student.id, submitted.assignment.name
    course = api.coursedir
    cells = cells_by_name(notebook_of(course, course.autograded_directory, student, chapter))
    results: tuple[Result, ...] = ()
    why = None
    if cells is not None:
        grades = [grade for notebook in submitted.notebooks for grade in notebook.grades]
        comments = [one for notebook in submitted.notebooks for one in notebook.comments]
        unanswered = {one.name for one in comments if one.auto_comment == NO_RESPONSE}
        grades.sort(key=place(order))
        results = tuple(_result(grade, cells, unanswered) for grade in grades)
    else:
        why = problem(notebook_of(course, course.submitted_directory, student, chapter))
    late, score, most = submitted.total_seconds_late, submitted.score, submitted.max_score
    return SubmissionResult(student, late, score, most, results, why)


def place(order: list[str]) -> Callable[[BaseCell | Grade], tuple[int, str]]:
    """Return the key that sorts as the notebook does; what it does not have comes last, by name."""
    places = {name: number for number, name in enumerate(order)}
    return lambda cell: (places.get(cell.name, len(places)), cell.name)


def cells_by_name(path: Path) -> dict[str, Cell] | None:
    """Return a notebook's cells by grade id, None if there is none or it is not whole."""
    try:
        # as JSON: nbgrader wrote it, and nbformat's checks are most of a large class's time
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        names = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in cells]
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None  # cut off, maybe within a hanzi, or JSON of another kind
    return {name: cell for name, cell in zip(names, cells, strict=True) if name}


def _result(grade: Grade, cells: dict[str, Cell], unanswered: set[str]) -> Result:
    answer_name = f"{grade.name}-answer"
    blank = Diagnosis("unsolved", UNSOLVED) if unanswered & {grade.name, answer_name} else None
    return Result(
        grade.name,
        grade.score,
        grade.cell.max_score,
        blank or diagnose_cells(cells.get(grade.name), cells.get(answer_name)),
        grade.needs_manual_grade,
        is_waiting(grade),
    )


def is_waiting(grade: Grade) -> bool:
    """Return whether a grade has no points yet, neither by the grader nor by hand."""
    none_yet = grade.auto_score is None and grade.manual_score is None
    return bool(grade.needs_manual_grade and none_yet)
