"""`python -m autograde give-back`: its options, and the zip that it writes."""

from __future__ import annotations

import argparse
import io
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from autograde.collecting.platforms import SOURCES
from autograde.giving_back.names import FINDERS
from autograde.giving_back.pages import PagesToGiveBack, is_zip_of_pages, pack_pages
from autograde.handed_in.escaped import escaped
from autograde.register.read_register import read_register
from autograde.register.register import Register
from autograde.register.states import again_line
from autograde.teacher.arguments import CHAPTER
from autograde.teacher.collected import read_collected
from autograde.teacher.course_folder import open_course
from autograde.teacher.errors import CannotBegin
from autograde.teacher.output_file import write_output
from autograde.teacher.penalties import renew_and_print
from bilingual import Text, listed

PLATFORM = Text(
    en="where the class handed in (if not given: where collect took most files from): {platforms}",
    zh="学生在哪里交的作业（不给出则按collect所记的多数）：{platforms}",
)
OUT = Text(en="the file to write (feedback-CHAPTER.zip)", zh="写入的文件（feedback-CHAPTER.zip）")

NO_PAGES = Text(
    en="Nobody has a feedback page on {chapter}, so nothing was written: grade it, then run "
    "nbgrader generate_feedback {chapter}.",
    zh="{chapter}还没有任何反馈网页，因此没有写入：请先评分，再运行"
    "nbgrader generate_feedback {chapter}。",
)
FOR_PLATFORM = Text(
    en="{path} ({size:.1f} MB), named for {platform}; feedback pages: {pages}",
    zh="{path}（{size:.1f} MB），按{platform}的方式命名；反馈网页{pages}个",
)
PLAIN_NAMES = Text(
    en="{path} ({size:.1f} MB), named ID_NAME_{chapter}.html; feedback pages: {pages}",
    zh="{path}（{size:.1f} MB），名为“学号_姓名_{chapter}.html”；反馈网页{pages}个",
)
UNNAMED = Text(
    en="{platform} cannot match these pages, because collect has no file name of {platform}'s for "
    "their students. Return them by hand (ID_NAME_{chapter}.html):",
    zh="collect没有记下这些学生在{platform}的文件名，{platform}认不出他们的网页，"
    "请手工发还（“学号_姓名_{chapter}.html”）：",
)
OTHER_PLATFORM = Text(
    en="Most of the work was collected from {platform}: did you mean --platform {option}?",
    zh="多数作业是从{platform}收的：是不是应当用--platform {option}？",
)
WITHOUT = Text(en="{chapter}: no page for {count}:", zh="{chapter}：{count}名学生没有网页：")
OLD = Text(
    en="Out of date, as points or the notebook have changed since: {students}. "
    "Run nbgrader generate_feedback {chapter} --force, then this again.",
    zh="以下学生的网页已经过时，之后又评过分或改过分：{students}。"
    "请运行nbgrader generate_feedback {chapter} --force，再运行本命令。",
)
OLD_IN_ZIP = Text(en=f"Do not upload {{path}} yet. {OLD.en}", zh=f"请先不要上传{{path}}。{OLD.zh}")
WAITING = Text(
    en="{chapter}: students whose answers wait for you: {count}; their pages do not count them "
    "yet.",
    zh="{chapter}：{count}名学生有回答等你评分，他们的网页还没有计入。",
)


@dataclass(frozen=True)
class GivenBack:
    """A zip that was written: its class, platform and pages.

    collected_from: the platform of most of the files that collect recorded, None without any.
    """

    register: Register
    platform: str | None
    pages: PagesToGiveBack
    collected_from: str | None


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `give-back`."""
    command.add_argument("chapter", help=CHAPTER.label())
    about = PLATFORM.format(platforms=", ".join(SOURCES)).label()
    command.add_argument("--platform", choices=SOURCES, metavar="NAME", help=about)
    command.add_argument("--out", type=Path, help=OUT.label())
    command.set_defaults(run=_run)


def give_back(folder: Path, chapter: str, path: Path, platform: str | None = None) -> GivenBack:
    """Write the zip of a chapter's pages; `CannotBegin` if there are no pages, or writing fails.

    platform: one of `SOURCES`; if None, the platform of most of the files that collect recorded.
    """
    api = open_course(folder, chapter)
    renew_and_print(api, chapter)
    register = read_register(api, chapter)
    record = read_collected(Path(api.coursedir.root), chapter)
    platforms = Counter(one.platform for one in record.values()).most_common(1)
    collected_from = platforms[0][0] if platforms else None
    platform = platform or collected_from
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        pages = pack_pages(archive, api.coursedir, register, platform, record)
    if not pages.names:
        raise CannotBegin(NO_PAGES.format(chapter=chapter))
    write_output(path, data.getvalue(), partial(is_zip_of_pages, chapter=chapter))
    return GivenBack(register, platform, pages, collected_from)


def _run(options: argparse.Namespace) -> None:
    path = options.out or Path(f"feedback-{options.chapter}.zip")
    done = give_back(Path.cwd(), options.chapter, path, options.platform)
    sentence = FOR_PLATFORM if done.platform in FINDERS else PLAIN_NAMES
    about = {"chapter": options.chapter, "platform": SOURCES.get(done.platform)}
    size, old = path.stat().st_size / 1e6, done.pages.old
    if old:
        print(OLD_IN_ZIP.format(path=path, students=listed(old), **about))
    print(sentence.format(path=path, pages=len(done.pages.names), size=size, **about))
    for line in _warnings(done, about):
        print(line)
    if old:
        sys.exit(1)


def _warnings(done: GivenBack, about: dict[str, Any]) -> Iterator[str]:
    """Yield warnings: pages that the platform cannot match, and students without a page."""
    rows, pages = done.register.rows, done.pages
    who = {row.student: escaped(f"{row.student}  {row.name}".rstrip()) for row in rows}
    if pages.unnamed:
        yield str(UNNAMED.format(**about))
    for student in pages.unnamed:
        yield f"  {who[student]}"
    other = done.collected_from
    if pages.unnamed and other in FINDERS and other != done.platform:
        yield str(OTHER_PLATFORM.format(platform=SOURCES[other], option=other))
    if pages.without:
        yield str(WITHOUT.format(count=len(pages.without), **about))
    for student, why in pages.without.items():
        yield f"  {who[student]}  {why.label()}"
    waiting = sum(any(one.has_no_points_yet for one in row.results) for row in rows)
    if waiting:
        yield str(WAITING.format(count=waiting, **about))
    if done.register.again:
        yield str(again_line(done.register))
