"""What there is to grade: what the course released, and what was handed in."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI

from autograde.grading.access import give_access
from autograde.grading.files import (
    NOTEBOOK,
    Submission,
    no_access,
    read_submission,
    remove_links,
)
from autograde.grading.journal import fingerprint
from autograde.grading.record import Record, read_record
from autograde.grading.timestamp import set_odd_timestamp_aside
from autograde.nbgrader.late import course_of
from autograde.teacher.course_folder import no_assignment, require_gradebook
from autograde.teacher.course_times import enrolled, require_extensions
from autograde.teacher.errors import CannotBegin
from bilingual import Text

NOTHING = Text(
    en="There is no submission of {chapter} in {folder}: put the platform's download into "
    "downloaded/{chapter}/archive/ and run python -m autograde collect {chapter} first.",
    zh="{folder}里没有{chapter}的提交：请先把平台的下载放进downloaded/{chapter}/archive/，"
    "再运行python -m autograde collect {chapter}。",
)
NO_SUCH_STUDENT = Text(
    en="There is no submission of {chapter} by {student}.",
    zh="没有{student}的{chapter}提交。",
)


class GradeError(CannotBegin):
    """Grading cannot begin; the message says what to do."""


def chapter_record(api: NbGraderAPI, chapter: str) -> Record:
    """Return what was released of a chapter; `CannotBegin` if nothing was, or for a deadline."""
    require_gradebook(api.coursedir)
    source = Path(api.coursedir.root) / api.coursedir.source_directory / chapter
    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        try:
            record = read_record(gradebook, chapter, chapter, source)
        except MissingEntry as error:
            raise no_assignment(api.coursedir, gradebook, chapter) from error
        students = enrolled(api.coursedir, gradebook)
        assignment = gradebook.find_assignment(chapter)
        require_extensions(course_of(api.config), assignment, students)
        return record


def submissions(api: NbGraderAPI, chapter: str, only: Collection[str]) -> dict[str, Path]:
    """Return the folders that were handed in, by student; of `only` these if any are named.

    Raises `GradeError` if there are none, or not of one who is named.
    """
    folder = Path(api.coursedir.root) / api.coursedir.submitted_directory
    paths = sorted(filter(_may_be_there, (one / chapter for one in folder.glob("*"))))
    folders = {path.parent.name: path for path in paths}
    if not folders:
        raise GradeError(NOTHING.format(chapter=chapter, folder=folder))
    for student in only:
        if student not in folders:
            who = student + _near(student, folders)
            raise GradeError(NO_SUCH_STUDENT.format(chapter=chapter, student=who))
    return {student: path for student, path in folders.items() if not only or student in only}


def take_in(folder: Path, source: Path) -> tuple[Submission, str]:
    """Return what a student handed in, and its fingerprint.

    source: the chapter's folder, whose files go over it. Raises `NotGradable`.
    """
    try:
        give_access(folder)
        set_odd_timestamp_aside(folder)
        remove_links(folder)
        before = fingerprint(folder)  # what comes in its place from now on is still to be graded
    except OSError as error:
        raise no_access(error) from error
    return read_submission(folder / f"{folder.name}{NOTEBOOK}", source), before


def _near(name: str, names: Collection[str]) -> str:
    return "".join(f" ({one}?)" for one in get_close_matches(name, names, 1))


def _may_be_there(folder: Path) -> bool:
    try:
        return folder.is_dir()
    except PermissionError:
        return True  # it cannot be graded, and the summary says why
