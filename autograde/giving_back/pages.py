"""Which feedback pages there are to give back, and why a student has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograde.collecting.class_list import ClassList
from autograde.giving_back.names import FINDERS, plain_name, platform_name
from autograde.grading.paths import is_plain
from autograde.pages.class_report.register import Register, Row
from autograde.pages.class_report.table import STATES
from autograde.teacher.course_folder import notebook_of
from bilingual import Text

NO_PAGE = Text(
    en="graded, but without a page: run nbgrader generate_feedback {chapter}",
    zh="已评分，还没有网页：请运行nbgrader generate_feedback {chapter}",
)


@dataclass
class Pages:
    """The pages of a class.

    files: by their names in the zip. unnamed: students whose page the platform cannot find by its
    name. without: why the others have no page. older: whose page is older than the last grading.
    """

    files: dict[str, Path] = field(default_factory=dict)
    unnamed: list[str] = field(default_factory=list)
    without: dict[str, Text] = field(default_factory=dict)
    older: list[str] = field(default_factory=list)


def feedback_pages(
    course: CourseDirectory,
    register: Register,
    platform: str | None,
    sources: Mapping[str, str],
    students: ClassList,
) -> Pages:
    """Return them; sources: by student, the path that the notebook was collected from."""
    chapter, pages = register.assignment, Pages()
    for row in register.rows:
        page = notebook_of(course, course.feedback_directory, row.student, chapter)
        page = page.with_suffix(".html")
        if why := _why_none(row, page, chapter):
            pages.without[row.student] = why
            continue
        name = None
        if platform in FINDERS:
            source = sources.get(row.student, "")
            name = platform_name(platform, source, chapter, students)
            pages.unnamed += [] if name else [row.student]
        name = name or plain_name(row.student, row.last_name, row.first_name, chapter)
        while name in pages.files:  # nobody's page takes another's place
            name = f"_{name}"
        pages.files[name] = page
        graded = notebook_of(course, course.autograded_directory, row.student, chapter)
        if graded.exists() and page.stat().st_mtime < graded.stat().st_mtime:
            pages.older.append(row.student)
    return pages


def _why_none(row: Row, page: Path, chapter: str) -> Text | None:
    if row.state != "graded":
        return row.problem or STATES[row.state]
    return None if page.exists() and is_plain(page) else NO_PAGE.format(chapter=chapter)
