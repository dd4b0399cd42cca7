"""The register of a class, read from nbgrader's gradebook and folders."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from nbgrader.api import Assignment, GradeCell, SubmittedAssignment, TaskCell
from nbgrader.apps import NbGraderAPI

from autograde.kit.catalogue import exercise, exercise_ids
from autograde.register.handed_in_again import handed_in_again
from autograde.register.register import Column, Register, Row, State
from autograde.register.results import SubmissionResult, order_key, read_results, released_order
from autograde.teacher.course_folder import settings_of
from autograde.teacher.course_times import deadline, lateness, student_due
from autograde.teacher.lateness import Lateness, of_gradebook
from autograde.teacher.questions import HandGradedQuestion, questions
from autograde.teacher.settings import CourseSettings


def read_register(api: NbGraderAPI, assignment: str) -> Register:
    """Return the register of an assignment that the gradebook has."""
    submissions = {one.student: one for one in read_results(api, assignment)}
    again = handed_in_again(api.coursedir, assignment, submissions.values())
    collected = set(api.get_submitted_students(assignment))
    settings = settings_of(api.config)
    with api.gradebook as gradebook:
        entry = gradebook.find_assignment(assignment)
        enrolled = gradebook.students
        names = {one.id: (one.last_name or "", one.first_name or "") for one in enrolled}
        rows = {
            submitted.student.id: _row(submitted, submissions, settings, again)
            for submitted in entry.submissions
        }
        due, most = deadline(settings, entry), entry.max_score
        order = released_order(api, assignment)
        by_hand = questions(api.coursedir, assignment)
        columns = tuple(_column(cell, by_hand) for cell in _graded_cells(entry, order))
    for student in (collected | names.keys()) - rows.keys():
        own = due and student_due(settings, assignment, student, due)
        state: State = "ungraded" if student in collected else "absent"
        rows[student] = Row(student, state=state, due=own, extended=own != due)
    table = [_with_name(row, *names.get(row.student, ("", ""))) for row in rows.values()]
    table.sort(key=lambda row: row.student)
    return Register(assignment, due, most, columns, tuple(table), settings.zone)


def _row(
    submitted: SubmittedAssignment,
    submissions: dict[str, SubmissionResult],
    settings: CourseSettings,
    again: set[str],
) -> Row:
    submission, late = submissions[submitted.student.id], lateness(submitted, settings)
    due = submitted.duedate
    failed: State = "ungraded" if submission.student in again else "failed"
    return Row(
        submission.student,
        state="graded" if submission.problem is None else failed,
        handed_in=_handed_in(submitted, late),
        due=due and of_gradebook(due),
        extended=bool(submitted.extension),
        seconds_late=submission.seconds_late,
        days_late=late.days if late else 0,
        score=submission.score,
        penalty=submitted.late_submission_penalty,
        results=submission.results,
        problem=None if submission.student in again else submission.problem,
        again=submission.problem is None and submission.student in again,
    )


def _handed_in(submitted: SubmittedAssignment, late: Lateness | None) -> datetime | None:
    """Return when a submission came; None if unknown, as for work only marked late."""
    is_known = submitted.timestamp is not None and not (late and late.untimed)
    return of_gradebook(submitted.timestamp) if is_known else None


def _graded_cells(assignment: Assignment, order: list[str]) -> list[GradeCell | TaskCell]:
    books = assignment.notebooks
    cells = [cell for book in books for cell in (*book.grade_cells, *book.task_cells)]
    return sorted(cells, key=order_key(order))


def _column(cell: GradeCell | TaskCell, by_hand: dict[str, HandGradedQuestion]) -> Column:
    checked = exercise(cell.name) if cell.name in exercise_ids() else None
    return Column(cell.name, cell.max_score, checked, by_hand.get(cell.name))


def _with_name(row: Row, last_name: str, first_name: str) -> Row:
    return replace(row, last_name=last_name, first_name=first_name)
