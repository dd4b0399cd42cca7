"""The register of a class: the columns of its gradebook, and what became of each student's work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from nbgrader.api import Assignment, GradeCell, SubmittedAssignment, TaskCell
from nbgrader.apps import NbGraderAPI

from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.exercise import Exercise
from autograde.teacher.questions import Question, questions
from autograde.teacher.results import Result, Submission, place, read_results, released_order
from bilingual import Text

State = Literal["graded", "failed", "waiting", "absent"]


@dataclass(frozen=True)
class Column:
    """One column of the gradebook: an exercise, or a question that a teacher grades, or neither."""

    name: str
    points: float
    exercise: Exercise | None
    question: Question | None = None

    @property
    def title(self) -> Text:
        """Return the title of what is asked; the name alone where the course has none."""
        task = self.exercise or self.question
        return task.title if task else Text(en=self.name, zh=self.name)


@dataclass(frozen=True)
class Row:
    """One student. `score` is the gradebook's, `total` what it exports: less the late penalty."""

    student: str
    last_name: str = ""
    first_name: str = ""
    state: State = "absent"
    handed_in: datetime | None = None
    seconds_late: float = 0.0
    score: float = 0.0
    penalty: float = 0.0
    results: tuple[Result, ...] = ()
    problem: Text | None = None

    @property
    def name(self) -> str:
        """Return the name as the gradebook has it, the last name first."""
        return f"{self.last_name} {self.first_name}".strip()

    @property
    def total(self) -> float:
        """Return the points after the late penalty, as nbgrader's export has them."""
        return max(0.0, self.score - self.penalty)

    def result(self, column: str) -> Result | None:
        """Return what one column of the gradebook holds, None where there is no grade."""
        return next((one for one in self.results if one.exercise == column), None)


@dataclass(frozen=True)
class Register:
    """A class and one assignment; rows stand by student."""

    assignment: str
    due: datetime | None
    max_score: float
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    pseudonymous: bool = False

    def in_state(self, *states: State) -> list[Row]:
        """Return the rows of students whose work is in one of these states."""
        return [row for row in self.rows if row.state in states]

    @property
    def submitted(self) -> list[Row]:
        """Return the rows that the gradebook has a submission for, graded or not."""
        return self.in_state("graded", "failed")

    def under(self, name: Callable[[str], str]) -> Register:
        """Return the register under pseudonyms, sorted by them: the order betrays nobody.

        Names and times of handing in are left out, and so is what errors say: it can hold a name.
        """
        rows = [replace(_blind(row), student=name(row.student)) for row in self.rows]
        rows.sort(key=lambda row: row.student)
        return replace(self, rows=tuple(rows), pseudonymous=True)


def read_register(api: NbGraderAPI, assignment: str) -> Register:
    """Return the register of an assignment that the gradebook has."""
    submissions = {one.student: one for one in read_results(api, assignment)}
    collected = set(api.get_submitted_students(assignment))
    with api.gradebook as gradebook:
        entry = gradebook.find_assignment(assignment)
        enrolled = gradebook.students
        names = {one.id: (one.last_name or "", one.first_name or "") for one in enrolled}
        rows = {one.student.id: _row(one, submissions) for one in entry.submissions}
        due, most = entry.duedate, entry.max_score
        order = released_order(api, assignment)
        by_hand = questions(api.coursedir, assignment)
        columns = tuple(_column(cell, by_hand) for cell in _graded_cells(entry, order))
    for student in collected - rows.keys():
        rows[student] = Row(student, state="waiting")
    for student in names.keys() - rows.keys():
        rows[student] = Row(student)
    table = [_with_name(row, *names.get(row.student, ("", ""))) for row in rows.values()]
    table.sort(key=lambda row: row.student)
    return Register(assignment, due, most, columns, tuple(table))


def _row(submitted: SubmittedAssignment, submissions: dict[str, Submission]) -> Row:
    one = submissions[submitted.student.id]
    return Row(
        one.student,
        state="graded" if one.problem is None else "failed",
        handed_in=submitted.timestamp,
        seconds_late=one.seconds_late,
        score=one.score,
        penalty=submitted.late_submission_penalty,
        results=one.results,
        problem=one.problem,
    )


def _graded_cells(assignment: Assignment, order: list[str]) -> list[GradeCell | TaskCell]:
    books = assignment.notebooks
    cells = [cell for book in books for cell in (*book.grade_cells, *book.task_cells)]
    return sorted(cells, key=place(order))


def _column(cell: GradeCell | TaskCell, by_hand: dict[str, Question]) -> Column:
    checked = exercise(cell.name) if cell.name in exercise_ids() else None
    return Column(cell.name, cell.max_score, checked, by_hand.get(cell.name))


def _with_name(row: Row, last_name: str, first_name: str) -> Row:
    return replace(row, last_name=last_name, first_name=first_name)


def _blind(row: Row) -> Row:
    results = [replace(one, finding=one.finding and one.finding.blind()) for one in row.results]
    return replace(_with_name(row, "", ""), handed_in=None, results=tuple(results))
