"""What there is to grade: what the course released, and what was handed in."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI

from autograde.grading.journal import fingerprint
from autograde.grading.record import Record, read_record
from autograde.handed_in.files import NOTEBOOK, Submission, no_access, read_submission
from autograde.handed_in.prepare import prepare
from autograde.teacher.course_folder import no_assignment, require_gradebook, settings_of
from autograde.teacher.course_times import enrolled, require_extensions
from autograde.teacher.errors import CannotBegin
from bilingual import Text

NOTHING = Text(
    en="There is no submission of {chapter} in {folder}: put the platform's download into "
    "downloaded/{chapter}/archive/ and run python -m autograde collect {chapter} first, or, with "
    "an exchange, nbgrader collect {chapter}.",
    zh="{folder}里没有{chapter}的提交：请先把平台的下载放进downloaded/{chapter}/archive/，"
    "再运行python -m autograde collect {chapter}；用交换目录时，请先运行"
    "nbgrader collect {chapter}。",
)
NO_SUCH_STUDENT = Text(
    en="There is no submission of {chapter} by {student}.",
    zh="没有{student}的{chapter}提交。",
)


class GradeError(CannotBegin):
    """Grading cannot begin; the message says what to do."""


def chapter_record(api: NbGraderAPI, chapter: str) -> Record:
    """Return the record of a chapter; `CannotBegin` if it has none, or for a bad extension."""
    require_gradebook(api.coursedir)
    source = Path(api.coursedir.root) / api.coursedir.source_directory / chapter
    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        try:
            record = read_record(gradebook, chapter, chapter, source)
        except MissingEntry as error:
            raise no_assignment(api.coursedir, gradebook, chapter) from error
        students = enrolled(api.coursedir, gradebook)
        assignment = gradebook.find_assignment(chapter)
        require_extensions(settings_of(api.config), assignment, students)
        return record


def submissions(api: NbGraderAPI, chapter: str, only: Collection[str]) -> dict[str, Path]:
    """Return the submitted folders, by student. only: of these students; empty: of all.

    Raises `GradeError` if there is no submission, or if a student in `only` has none.
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

    source: the course's own folder; its files replace submitted ones. Raises `NotGradable`.
    """
    prepare(folder)
    try:
        before = fingerprint(folder)  # first: a newer submission then still counts as ungraded
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
