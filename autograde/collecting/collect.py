"""Collecting a download: read, plan, show, and only then write."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from rich.console import Console

from autograde.collecting.class_list import read_class_list
from autograde.collecting.downloads import read_download
from autograde.collecting.plan import make_plan
from autograde.collecting.platforms import is_named
from autograde.collecting.submitted import Submitted
from autograde.collecting.table import print_table
from autograde.kit.catalogue import UnknownName
from autograde.teacher.course_folder import choices, require_gradebook
from autograde.teacher.course_times import deadline, require_extensions, student_due
from autograde.teacher.errors import CannotBegin
from autograde.teacher.settings import CourseSettings
from bilingual import Text

NOT_WRITTEN = Text(
    en="This was only a preview: nothing has been written.", zh="以上只是预览，没有写入任何内容。"
)
NAMED_BY_STUDENTS = Text(
    en="Nothing has been written: students gave these files their names, and may have given one "
    "another student's. Look at the table; if it is right, run this again with --platform files.",
    zh="没有写入任何内容：这些文件名是学生自己起的，可能写了别人的名字。"
    "请看一遍上表；没有问题的话，加上--platform files再运行。",
)


def collect(
    folders: CourseDirectory,
    chapter: str,
    console: Console,
    *,
    platform: str | None = None,
    dry_run: bool = False,
) -> bool:
    """Collect `downloaded/CHAPTER/archive` into `submitted/`; return whether that was written.

    platform: one of `SOURCES`, recognised if it is None. Raises `CannotBegin`.
    """
    root = Path(folders.root)
    settings = choices(root)
    zone = settings.timezone
    require_gradebook(folders)
    with Gradebook(folders.db_url, folders.course_id) as gradebook:
        _require_chapter(folders, gradebook, chapter)
        students = read_class_list(gradebook)
        due, extensions = _deadlines(gradebook, chapter, settings)
        grade_ids = _grade_ids(gradebook, chapter)
    with ExitStack() as opened:
        whose = partial(is_named, chapter=chapter, students=students, platform=platform)
        download = read_download(root / "downloaded" / chapter / "archive", whose, opened, zone)
        now = datetime.now(UTC)
        submitted = Submitted(root, chapter)
        plan = make_plan(
            download,
            chapter,
            students,
            platform=platform,
            due=due,
            now=now,
            extensions=extensions,
            zone=zone,
            late_policy=settings.late,
            grade_ids=grade_ids,
            earlier_times=submitted.earlier_times(),
        )
        changes = submitted.changes(plan, download.uploads)
        print_table(plan, changes, console)
        by_students = plan.platform == "files" and platform is None
        if dry_run or by_students:
            reason = NAMED_BY_STUDENTS if by_students else NOT_WRITTEN
            console.print(str(reason), highlight=False, markup=False, soft_wrap=True)
            return False
        submitted.apply(plan, changes)
    return True


def _require_chapter(folders: CourseDirectory, gradebook: Gradebook, chapter: str) -> None:
    """Raise `CannotBegin`, with the nearest name, unless the name is a chapter of the course."""
    source_folders = (Path(folders.root) / folders.source_directory).glob("*/")
    names = {*(one.name for one in source_folders), *(one.name for one in gradebook.assignments)}
    if chapter not in names:
        raise CannotBegin(UnknownName(Text(en="chapter", zh="章节"), chapter, sorted(names)))


def _grade_ids(gradebook: Gradebook, chapter: str) -> set[str]:
    """Return the names of the chapter's cells, empty if it was not released."""
    try:
        notebooks = gradebook.find_assignment(chapter).notebooks
    except MissingEntry:
        return set()
    cells = ((*one.grade_cells, *one.task_cells, *one.source_cells) for one in notebooks)
    return {cell.name for several in cells for cell in several}


def _deadlines(
    gradebook: Gradebook, chapter: str, settings: CourseSettings
) -> tuple[datetime | None, dict[str, datetime]]:
    """Return a chapter's deadline, and the deadlines of students with an extension."""
    try:
        assignment = gradebook.find_assignment(chapter)
    except MissingEntry:
        return None, {}
    require_extensions(settings, assignment, [one.id for one in gradebook.students])
    due = deadline(settings, assignment)
    if due is None:
        return None, {}
    if settings.extensions is None:  # those that a teacher granted by nbgrader's API
        submissions = [one for one in assignment.submissions if one.extension]
        return due, {one.student.id: due + one.extension for one in submissions}
    students = settings.extensions.get(chapter, {})
    return due, {one: student_due(settings, chapter, one, due) for one in students}
