"""When each student's work is due: course.toml and the gradebook together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory

from autograde.kit.catalogue import UnknownName
from autograde.teacher.errors import CannotBegin
from autograde.teacher.lateness import (
    UNKNOWN_DELAY,
    Lateness,
    clock,
    days_late,
    extended,
    of_gradebook,
)
from autograde.teacher.settings import CourseSettings
from bilingual import Text

STUDENT = Text(en="student", zh="学生")
NOT_LISTED = Text(
    en="course.toml gives {name!r} an extension, but the class list has no such student.",
    zh="course.toml的extensions给{name!r}延了期，但班级名单上没有这名学生。",
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


def deadline(settings: CourseSettings, assignment: Assignment) -> datetime | None:
    """Return when a chapter is due: by course.toml, or else by the gradebook."""
    due = settings.deadlines.get(assignment.name)
    if due is not None:
        return due.astimezone(UTC)
    return assignment.duedate and of_gradebook(assignment.duedate)


def student_due(settings: CourseSettings, chapter: str, student: str, due: datetime) -> datetime:
    """Return one student's deadline by course.toml; due: the class's deadline."""
    extension = (settings.extensions or {}).get(chapter, {}).get(student)
    return due if extension is None else extended(due, extension, settings.zone)


def lateness(submission: SubmittedAssignment, settings: CourseSettings) -> Lateness | None:
    """Return when a submission came and was due; None if the gradebook lacks either time."""
    if submission.timestamp is None or submission.duedate is None:
        return None
    handed_in, due = of_gradebook(submission.timestamp), of_gradebook(submission.duedate)
    grace = settings.late.grace if settings.late else timedelta(0)
    days = days_late(due, handed_in, settings.zone, grace)
    untimed = handed_in - due == UNKNOWN_DELAY
    return Lateness(handed_in, due, bool(submission.extension), days, untimed)


def enrolled(folders: CourseDirectory, gradebook: Gradebook) -> list[str]:
    """Return the gradebook's students, and others who have a folder in `submitted/`."""
    submitted = Path(folders.root) / folders.submitted_directory
    handed_in = {path.name for path in submitted.iterdir()} if submitted.is_dir() else set()
    return sorted({one.id for one in gradebook.students} | handed_in)


def unknown_extensions(settings: CourseSettings, students: list[str]) -> list[UnknownName]:
    """Return an error for each student with an extension in course.toml but not in `students`."""
    extended = {student for chapter in (settings.extensions or {}).values() for student in chapter}
    unknown = sorted(extended - set(students))
    return [UnknownName(STUDENT, student, students, NOT_LISTED) for student in unknown]


def require_extensions(
    settings: CourseSettings, assignment: Assignment, students: list[str]
) -> None:
    """Raise `CannotBegin` for an extension in course.toml that is not valid for this chapter."""
    chapter, extensions = assignment.name, (settings.extensions or {}).get(assignment.name, {})
    if not extensions:
        return
    due = deadline(settings, assignment)
    if due is None:
        raise CannotBegin(NO_DEADLINE.format(chapter=chapter))
    for student in extensions:
        if student not in students:
            raise CannotBegin(UnknownName(STUDENT, student, students, NOT_LISTED))
        own = student_due(settings, chapter, student, due)
        if own <= due:
            moments = {"moment": clock(own, settings.zone), "due": clock(due, settings.zone)}
            raise CannotBegin(NOT_LATER.format(chapter=chapter, student=student, **moments))
