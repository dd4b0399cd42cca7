"""What a class earned and why: nbgrader's gradebook, and the verdicts in the graded notebooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nbgrader.api import BaseCell, Grade, SubmittedAssignment
from nbgrader.apps import NbGraderAPI

from autograde.grading.diagnosis import UNSOLVED, Cell, Diagnosis, diagnose_cells
from autograde.handed_in.problem import problem
from autograde.teacher.course_folder import cells_by_name, notebook_of
from bilingual import Text

# nbgrader's own words for an answer that is as it was released
NO_RESPONSE = "No response."


@dataclass(frozen=True)
class Result:
    """The points of one exercise, and what was wrong, if anything was.

    needs_teacher: a teacher has yet to look at it. has_no_points_yet: in addition, it has
    no points from the grader or by hand.
    """

    exercise: str
    score: float
    points: float
    finding: Diagnosis | None = None
    needs_teacher: bool = False
    has_no_points_yet: bool = False

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
    """Return a chapter's submissions sorted by student id, exercises in the notebook's order."""
    order = released_order(api, chapter)
    with api.gradebook as gradebook:
        submitted = gradebook.assignment_submissions(chapter)
        return [
            _submission(api, entry, order)
            for entry in sorted(submitted, key=lambda entry: entry.student.id)
        ]


def released_order(api: NbGraderAPI, chapter: str) -> list[str]:
    """Return the names of nbgrader's cells in the order of the released notebook."""
    folders = api.coursedir
    return list(cells_by_name(notebook_of(folders, folders.release_directory, ".", chapter)) or {})


def _submission(
    api: NbGraderAPI, submitted: SubmittedAssignment, order: list[str]
) -> SubmissionResult:
    student, chapter = submitted.student.id, submitted.assignment.name
    folders = api.coursedir
    cells = cells_by_name(notebook_of(folders, folders.autograded_directory, student, chapter))
    results: tuple[Result, ...] = ()
    why = None
    if cells is not None:
        grades = [grade for notebook in submitted.notebooks for grade in notebook.grades]
        comments = [comment for notebook in submitted.notebooks for comment in notebook.comments]
        unanswered = {comment.name for comment in comments if comment.auto_comment == NO_RESPONSE}
        grades.sort(key=order_key(order))
        results = tuple(_result(grade, cells, unanswered) for grade in grades)
    else:
        why = problem(notebook_of(folders, folders.submitted_directory, student, chapter))
    late, score, most = submitted.total_seconds_late, submitted.score, submitted.max_score
    return SubmissionResult(student, late, score, most, results, why)


def order_key(order: list[str]) -> Callable[[BaseCell | Grade], tuple[int, str]]:
    """Return a sort key: the notebook's order, then the cells that it lacks, by name."""
    indices = {name: number for number, name in enumerate(order)}
    return lambda cell: (indices.get(cell.name, len(indices)), cell.name)


def _result(grade: Grade, cells: dict[str, Cell], unanswered: set[str]) -> Result:
    answer_name = f"{grade.name}-answer"
    blank = Diagnosis("unsolved", UNSOLVED) if unanswered & {grade.name, answer_name} else None
    return Result(
        grade.name,
        grade.score,
        grade.cell.max_score,
        blank or diagnose_cells(cells.get(grade.name), cells.get(answer_name)),
        grade.needs_manual_grade,
        has_no_points_yet(grade),
    )


def has_no_points_yet(grade: Grade) -> bool:
    """Return whether a grade has no points yet, neither by the grader nor by hand."""
    none_yet = grade.auto_score is None and grade.manual_score is None
    return bool(grade.needs_manual_grade and none_yet)
