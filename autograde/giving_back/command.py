"""`python -m autograde give-back`: its options, and the zip that it writes."""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from autograde.collecting.class_list import read_class_list
from autograde.collecting.platforms import PLATFORMS, recognised
from autograde.collecting.submitted import Submitted
from autograde.giving_back.names import FINDERS
from autograde.giving_back.pages import Pages, feedback_pages
from autograde.pages.class_report.read_register import read_register
from autograde.pages.class_report.register import Register, Row
from autograde.pages.class_report.table import again_line
from autograde.teacher.arguments import CHAPTER
from autograde.teacher.course_folder import open_course
from autograde.teacher.errors import CannotBegin, not_written
from autograde.teacher.escaped import escaped
from autograde.teacher.full_name import full_name
from bilingual import Text, listed
from bilingual.files import write_whole

PLATFORM = Text(
    en="where the class handed in (found by the names that collect noted if not given): "
    "{platforms}",
    zh="学生在哪里交的作业（不给出则按collect记下的文件名辨认）：{platforms}",
)
OUT = Text(en="the file to write (feedback-CHAPTER.zip)", zh="写入的文件（feedback-CHAPTER.zip）")

NO_PAGES = Text(
    en="Nobody has a feedback page on {chapter}, so nothing was written: grade it, then run "
    "nbgrader generate_feedback {chapter}.",
    zh="{chapter}还没有任何反馈网页，因此没有写入：请先评分，再运行"
    "nbgrader generate_feedback {chapter}。",
)
FOR_PLATFORM = Text(
    en="{path}: feedback pages {pages} ({size:.1f} MB), named for {platform}",
    zh="{path}：{pages}个反馈网页（{size:.1f} MB），按{platform}的方式命名",
)
FOR_PEOPLE = Text(
    en="{path}: feedback pages {pages} ({size:.1f} MB), named ID_NAME_{chapter}.html",
    zh="{path}：{pages}个反馈网页（{size:.1f} MB），名为“学号_姓名_{chapter}.html”",
)
UNNAMED = Text(
    en="{platform} would leave out the pages of these students, as collect noted no file name for "
    "them: give these back by hand (ID_NAME_{chapter}.html):",
    zh="collect没有记下这些学生的文件名，他们的网页无法按{platform}的方式命名，{platform}不会收，"
    "请手工发还（“学号_姓名_{chapter}.html”）：",
)
WITHOUT = Text(en="{chapter}: no page for {count}:", zh="{chapter}：{count}名学生没有网页：")
OLDER = Text(
    en="Made before the last grading, so perhaps with old points: {students}. Run "
    "nbgrader generate_feedback {chapter} --force, then this again.",
    zh="以下学生的网页早于最近一次评分，可能还是旧的得分：{students}。"
    "请运行nbgrader generate_feedback {chapter} --force，再运行本命令。",
)
WAITING = Text(
    en="{chapter}: students whose answers wait for you: {count}; their pages do not count them "
    "yet.",
    zh="{chapter}：{count}名学生有回答等你评分，他们的网页还没有计入。",
)


@dataclass(frozen=True)
class GivenBack:
    """A zip that was written: what of, for which platform, and its size in bytes."""

    register: Register
    platform: str | None
    pages: Pages
    size: int


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `give-back`."""
    command.add_argument("chapter", help=CHAPTER.label())
    about = PLATFORM.format(platforms=", ".join(PLATFORMS)).label()
    command.add_argument("--platform", choices=PLATFORMS, metavar="NAME", help=about)
    command.add_argument("--out", type=Path, help=OUT.label())
    command.set_defaults(run=_run)


def give_back(folder: Path, chapter: str, path: Path, platform: str | None = None) -> GivenBack:
    """Write the zip of a chapter's pages; `CannotBegin` where there are none, or it cannot be.

    platform: one of `PLATFORMS`, recognised by what collect noted if it is None.
    """
    api = open_course(folder, chapter)
    register = read_register(api, chapter)
    with api.gradebook as gradebook:
        students = read_class_list(gradebook)
    sources = Submitted(folder, chapter).sources()
    paths = [tuple(source.split("/")) for source in sources.values()]
    platform = platform or recognised(paths, chapter, students)
    pages = feedback_pages(api.coursedir, register, platform, sources, students)
    if not pages.files:
        raise CannotBegin(NO_PAGES.format(chapter=chapter))
    try:
        data = _zip(pages)
        write_whole(path, data)
    except OSError as error:
        raise not_written(path, error) from error
    return GivenBack(register, platform, pages, len(data))


def _zip(pages: Pages) -> bytes:
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        for name, page in pages.files.items():
            archive.write(page, name)
    return data.getvalue()


def _run(options: argparse.Namespace) -> None:
    path = options.out or Path(f"feedback-{options.chapter}.zip")
    done = give_back(Path.cwd(), options.chapter, path, options.platform)
    words = FOR_PLATFORM if done.platform in FINDERS else FOR_PEOPLE
    about = {"chapter": options.chapter, "platform": FINDERS.get(done.platform or "", "")}
    print(words.format(path=path, pages=len(done.pages.files), size=done.size / 1e6, **about))
    for line in _open_lines(done, about):
        print(line)


def _open_lines(done: GivenBack, about: dict[str, str]) -> Iterator[str]:
    """Yield whose page the platform cannot place, who has none, and whose is not the last word."""
    pages, who = done.pages, {row.student: _who(row) for row in done.register.rows}
    if pages.unnamed:
        yield str(UNNAMED.format(**about))
    for student in pages.unnamed:
        yield f"  {who[student]}"
    if pages.without:
        yield str(WITHOUT.format(count=len(pages.without), **about))
    for student, why in pages.without.items():
        yield f"  {who[student]}  {why.label()}"
    if pages.older:
        yield str(OLDER.format(students=listed(pages.older), **about))
    waiting = sum(any(one.waiting for one in row.results) for row in done.register.rows)
    if waiting:
        yield str(WAITING.format(count=waiting, **about))
    if done.register.again:
        yield str(again_line(done.register))


def _who(row: Row) -> str:
    return escaped(f"{row.student}  {full_name(row.last_name, row.first_name)}".rstrip())
