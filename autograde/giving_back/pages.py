"""Which feedback pages there are to give back, and why a student has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import ZipFile

from nbgrader.coursedir import CourseDirectory

from autograde.giving_back.names import FINDERS, plain_name, platform_name
from autograde.grading.paths import is_plain
from autograde.pages.class_report.register import Register, Row
from autograde.pages.class_report.table import STATES
from autograde.pages.marking import points
from autograde.teacher.collected import Collected
from autograde.teacher.course_folder import notebook_of
from bilingual import Text

NO_PAGE = Text(
    en="graded, but without a page: run nbgrader generate_feedback {chapter}",
    zh="已评分，还没有网页：请运行nbgrader generate_feedback {chapter}",
)
UNREADABLE = Text(en="its page, {path}, cannot be read: {why}", zh="网页{path}无法读取：{why}")


@dataclass
class PagesToGiveBack:
    """What became of a class's pages, by student.

    names: in the zip. unnamed: those whose page the platform cannot find by its name. without: why
    the others have no page. older: those whose page is older than the last grading, or shows other
    points than the gradebook.
    """

    names: dict[str, str] = field(default_factory=dict)
    unnamed: list[str] = field(default_factory=list)
    without: dict[str, Text] = field(default_factory=dict)
    older: list[str] = field(default_factory=list)


def pack_pages(
    archive: ZipFile,
    course: CourseDirectory,
    register: Register,
    platform: str | None,
    record: Mapping[str, Collected],
) -> PagesToGiveBack:
    """Write the pages of a class into an archive; record: what was collected, by student."""
    chapter, pages = register.assignment, PagesToGiveBack()
    for row in register.rows:
        student = row.student
        path = notebook_of(course, course.feedback_directory, student, chapter).with_suffix(".html")
        page = _page(row, path, chapter)
        if isinstance(page, Text):
            pages.without[student] = page
            continue
        name, others = None, pages.names.values()
        if platform in FINDERS:
            name = platform_name(platform, record.get(student), chapter)
            if name in (None, *others):  # nobody's page takes another's place
                name = None
                pages.unnamed.append(student)
        pages.names[student] = name or plain_name(student, row.name, chapter, others)
        archive.writestr(pages.names[student], page)
        graded = notebook_of(course, course.autograded_directory, student, chapter)
        is_older = path.stat().st_mtime < graded.stat().st_mtime
        if is_older or _total(row, register.max_score) not in page:
            pages.older.append(student)
    return pages


def _page(row: Row, path: Path, chapter: str) -> bytes | Text:
    """Return a student's page, or why there is none to give back."""
    if row.state != "graded":
        return row.problem or STATES[row.state]
    no_page = NO_PAGE.format(chapter=chapter)
    try:
        return path.read_bytes() if is_plain(path) else no_page
    except FileNotFoundError:
        return no_page
    except OSError as error:
        return UNREADABLE.format(path=path, why=error.strerror)


def _total(row: Row, most: float) -> bytes:
    """Return the points of the gradebook as `pages/feedback/templates/scores.html` has them."""
    waiting = sum(one.points for one in row.results if one.waiting)
    total = points(row.score - row.penalty)
    return f"<strong>{total}</strong> / {points(most - waiting)} ".encode()
