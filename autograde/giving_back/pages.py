"""The feedback pages to give back, and why a student has none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from zipfile import ZipFile

from nbgrader.coursedir import CourseDirectory

from autograde.giving_back.names import FINDERS, plain_name, platform_name
from autograde.handed_in.paths import is_plain
from autograde.pages.marking import points
from autograde.register.register import Register, Row
from autograde.register.states import STATES
from autograde.teacher.collected import Collected
from autograde.teacher.course_folder import notebook_of
from bilingual import Text

NO_PAGE = Text(
    en="graded, but without a page: run nbgrader generate_feedback {chapter}",
    zh="已评分，还没有网页：请运行nbgrader generate_feedback {chapter}",
)
TOTAL = re.compile(rb'<meta name="total" content="([^"]*)">')
UNREADABLE = Text(en="its page, {path}, cannot be read: {why}", zh="网页{path}无法读取：{why}")


@dataclass(frozen=True)
class Page:
    """A student's page; is_old: made before the last grading, or with other points than now."""

    content: bytes
    is_old: bool


@dataclass
class PagesToGiveBack:
    """What became of a class's pages, by student.

    names: of pages in the zip. unnamed: students whose page the platform cannot match by its name.
    without: why the others have no page. old: students whose page is out of date.
    """

    names: dict[str, str] = field(default_factory=dict)
    unnamed: list[str] = field(default_factory=list)
    without: dict[str, Text] = field(default_factory=dict)
    old: list[str] = field(default_factory=list)


def pack_pages(
    archive: ZipFile,
    folders: CourseDirectory,
    register: Register,
    platform: str | None,
    record: Mapping[str, Collected],
) -> PagesToGiveBack:
    """Write the pages of a class into an archive; record: what was collected, by student."""
    chapter, pages = register.assignment, PagesToGiveBack()
    for row in register.rows:
        student, page = row.student, page_of(folders, register, row)
        if isinstance(page, Text):
            pages.without[student] = page
            continue
        name, others = None, pages.names.values()
        if platform in FINDERS:
            name = platform_name(platform, record.get(student), chapter)
            if name in (None, *others):  # no page may replace another
                name = None
                pages.unnamed.append(student)
        pages.names[student] = name or plain_name(student, row.name, chapter, others)
        archive.writestr(pages.names[student], page.content)
        if page.is_old:
            pages.old.append(student)
    return pages


def is_zip_of_pages(beginning: bytes, chapter: str) -> bool:
    """Return whether a file begins as our zips do, with a page of the chapter."""
    length = int.from_bytes(beginning[26:28], "little")  # a zip's first file: its name
    name = beginning[30 : 30 + length]
    return beginning.startswith(b"PK\3\4") and name.endswith(f"_{chapter}.html".encode())


def page_of(folders: CourseDirectory, register: Register, row: Row) -> Page | Text:
    """Return a student's page, or why there is none to give back."""
    if row.state != "graded":
        return row.problem or STATES[row.state]
    student, chapter = row.student, register.assignment
    path = notebook_of(folders, folders.feedback_directory, student, chapter).with_suffix(".html")
    graded = notebook_of(folders, folders.autograded_directory, student, chapter)
    try:
        if not is_plain(path):
            return NO_PAGE.format(chapter=chapter)
        content, time = path.read_bytes(), path.stat().st_mtime
    except FileNotFoundError:
        return NO_PAGE.format(chapter=chapter)
    except OSError as error:
        return UNREADABLE.format(path=path, why=error.strerror)
    is_older = graded.exists() and time < graded.stat().st_mtime
    return Page(content, is_older or _total(row, register.max_score) != _total_on(content))


def _total(row: Row, most: float) -> str:
    """Return the gradebook's points in the form of `pages/feedback/templates/page.html`."""
    return f"{points(row.score - row.penalty)}/{points(most - row.waiting_points)}"


def _total_on(page: bytes) -> str | None:
    """Return the points that a page states for programs; None if it states none."""
    total = TOTAL.search(page)
    return total and total[1].decode()
