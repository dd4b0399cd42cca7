"""The register of a class, read from nbgrader's gradebook and folders."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from nbgrader.api import Assignment, GradeCell, SubmittedAssignment, TaskCell
from nbgrader.apps import NbGraderAPI

from autograde.kit.catalogue import exercise, exercise_ids
from autograde.register.handed_in_again import handed_in_again
from autograde.register.register import Column, Register, Row, State
from autograde.register.results import SubmissionResult, place, read_results, released_order
from autograde.teacher.course_folder import course_of
from autograde.teacher.course_times import deadline, lateness, student_due
from autograde.teacher.lateness import Lateness, of_gradebook
from autograde.teacher.questions import HandGradedQuestion, questions
from autograde.teacher.settings import Course


def read_register(api: NbGraderAPI, assignment: str) -> Register:
    """Return the register of an assignment that the gradebook has."""
    submissions = {one.student: one for one in read_results(api, assignment)}
    again = handed_in_again(api.coursedir, assignment, submissions.values())
    collected = set(api.get_submitted_students(assignment))
    course = course_of(api.config)
    with api.gradebook as gradebook:
        entry = gradebook.find_assignment(assignment)
        enrolled = gradebook.students
        names = {one.id: (one.last_name or "", one.first_name or "") for one in enrolled}
        rows = {one.student.id: _row(one, submissions, course, again) for one in entry.submissions}
        due, most = deadline(course, entry), entry.max_score
        order = released_order(api, assignment)
        by_hand = questions(api.coursedir, assignment)
        columns = tuple(_column(cell, by_hand) for cell in _graded_cells(entry, order))
    for student in (collected | names.keys()) - rows.keys():
        own = due and student_due(course, assignment, student, due)
        state: State = "ungraded" if student in collected else "absent"
        rows[student] = Row(student, state=state, due=own, extended=own != due)
    table = [_with_name(row, *names.get(row.student, ("", ""))) for row in rows.values()]
    table.sort(key=lambda row: row.student)
    return Register(assignment, due, most, columns, tuple(table), course.zone)


def _row(
    submitted: SubmittedAssignment,
    submissions: dict[str, SubmissionResult],
    course: Course,
    again: set[str],
) -> Row:
    one, late = submissions[submitted.student.id], lateness(submitted, course)
    due = submitted.duedate
    failed: State = "ungraded" if one.student in again else "failed"
    return Row(
        one.student,
        state="graded" if one.problem is None else failed,
        handed_in=_handed_in(submitted, late),
        due=due and of_gradebook(due),
        extended=bool(submitted.extension),
        seconds_late=one.seconds_late,
        days_late=late.days if late else 0,
        score=one.score,
        penalty=submitted.late_submission_penalty,
        results=one.results,
        problem=None if one.student in again else one.problem,
        again=one.problem is None and one.student in again,
    )


def _handed_in(submitted: SubmittedAssignment, late: Lateness | None) -> datetime | None:
    """Return when a submission came; None if unknown, as for work only marked late."""
    is_known = submitted.timestamp is not None and not (late and late.untimed)
    return of_gradebook(submitted.timestamp) if is_known else None


def _graded_cells(assignment: Assignment, order: list[str]) -> list[GradeCell | TaskCell]:
    books = assignment.notebooks
    cells = [cell for book in books for cell in (*book.grade_cells, *book.task_cells)]
    return sorted(cells, key=place(order))


def _column(cell: GradeCell | TaskCell, by_hand: dict[str, HandGradedQuestion]) -> Column:
    checked = exercise(cell.name) if cell.name in exercise_ids() else None
    return Column(cell.name, cell.max_score, checked, by_hand.get(cell.name))


def _with_name(row: Row, last_name: str, first_name: str) -> Row:
    return replace(row, last_name=last_name, first_name=first_name)
