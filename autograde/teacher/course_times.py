"""When each student's work is due: course.toml and the gradebook together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory

from autograde.kit.catalogue import UnknownName
from autograde.teacher.errors import CannotBegin
from autograde.teacher.lateness import (
    LEAST,
    Lateness,
    clock,
    days_late,
    extended,
    of_gradebook,
)
from autograde.teacher.settings import Course
from bilingual import Text

STUDENT = Text(
    en="student (course.toml, extensions) on the class list",
    zh="学生（班级名单上没有，course.toml的extensions里写了）",
)
NO_DEADLINE = Text(
    en="course.toml: extensions.{chapter}: {chapter} has no deadline that could be extended. Set "
    "it in [deadlines].",
    zh="course.toml：extensions.{chapter}：{chapter}没有截止时间，无从延期。请在[deadlines]中设置。",
)
NOT_LATER = Text(
    en="course.toml: extensions.{chapter}.{student} is {moment}, which is not after the deadline, "
    "{due}",
    zh="course.toml：extensions.{chapter}.{student}为{moment}，不晚于截止时间{due}",
)


def deadline(course: Course, assignment: Assignment) -> datetime | None:
    """Return when a chapter is due: by course.toml, or else by the gradebook."""
    due = course.deadlines.get(assignment.name)
    if due is not None:
        return due.astimezone(UTC)
    return assignment.duedate and of_gradebook(assignment.duedate)


def student_due(course: Course, chapter: str, student: str, due: datetime) -> datetime:
    """Return when a chapter that is due at `due` is due for one student, by course.toml."""
    extension = (course.extensions or {}).get(chapter, {}).get(student)
    return due if extension is None else extended(due, extension, course.zone)


def lateness(submission: SubmittedAssignment, course: Course) -> Lateness | None:
    """Return when a submission came and was due, None where the gradebook does not know it."""
    if submission.timestamp is None or submission.duedate is None:
        return None
    handed_in, due = of_gradebook(submission.timestamp), of_gradebook(submission.duedate)
    grace = course.late.grace if course.late else timedelta(0)
    days = days_late(due, handed_in, course.zone, grace)
    untimed = handed_in - due == LEAST
    return Lateness(handed_in, due, bool(submission.extension), days, untimed)


def enrolled(folders: CourseDirectory, gradebook: Gradebook) -> list[str]:
    """Return the students that the gradebook has, and those who only handed in so far."""
    submitted = Path(folders.root) / folders.submitted_directory
    handed_in = {path.name for path in submitted.iterdir()} if submitted.is_dir() else set()
    return sorted({one.id for one in gradebook.students} | handed_in)


def unknown_extensions(course: Course, students: list[str]) -> list[UnknownName]:
    """Return what is wrong with each extension of course.toml for nobody on the class list."""
    extended = {student for chapter in (course.extensions or {}).values() for student in chapter}
    return [UnknownName(STUDENT, one, students) for one in sorted(extended - set(students))]


def require_extensions(course: Course, assignment: Assignment, students: list[str]) -> None:
    """Raise `CannotBegin` for an extension of course.toml that this chapter cannot have."""
    chapter, extensions = assignment.name, (course.extensions or {}).get(assignment.name, {})
    if not extensions:
        return
    due = deadline(course, assignment)
    if due is None:
        raise CannotBegin(NO_DEADLINE.format(chapter=chapter))
    for student in extensions:
        if student not in students:
            raise CannotBegin(UnknownName(STUDENT, student, students))
        own = student_due(course, chapter, student, due)
        if own <= due:
            moments = {"moment": clock(own, course.zone), "due": clock(due, course.zone)}
            raise CannotBegin(NOT_LATER.format(chapter=chapter, student=student, **moments))
