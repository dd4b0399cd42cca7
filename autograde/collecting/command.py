"""`python -m autograde collect`: its options."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from autograde.teacher.arguments import CHAPTER
from autograde.teacher.errors import CannotBegin, first_line
from bilingual import Text

if TYPE_CHECKING:
    from nbgrader.coursedir import CourseDirectory

PLATFORM = Text(
    en="where the download is from (found by the shape of its names if not given): {platforms}",
    zh="下载来自哪里（不给出则按命名方式辨认）：{platforms}",
)
DRY_RUN = Text(
    en="show who handed in what, and write nothing",
    zh="只显示谁交了什么的表，不写入任何内容",
)
STOPPED = Text(
    en="Collecting was stopped: {why}. Each submission that was written is whole; once the cause "
    "is gone, run the same command again.",
    zh="收作业中断：{why}。已写入的每份提交都是完整的；排除原因后，再次运行同一条命令即可。",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `collect`."""
    from autograde.collecting.platforms import SOURCES

    command.add_argument("chapter", help=CHAPTER.label())
    about = PLATFORM.format(platforms=", ".join(SOURCES)).label()
    command.add_argument("--platform", choices=SOURCES, metavar="NAME", help=about)
    command.add_argument("--dry-run", action="store_true", help=DRY_RUN.label())
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from autograde.grading.grader_limits import limit_memory
    from autograde.teacher.course_folder import course_api

    limit_memory()
    folders = course_api(Path.cwd()).coursedir
    collect_and_exit(folders, options.chapter, options.platform, dry_run=options.dry_run)


def collect_and_exit(
    folders: CourseDirectory, chapter: str, platform: str | None, *, dry_run: bool = False
) -> NoReturn:
    """Collect a chapter and end the program: in an error, if nothing was collected."""
    from rich.console import Console
    from sqlalchemy.exc import SQLAlchemyError

    from autograde.collecting.collect import collect

    try:
        success = collect(folders, chapter, Console(), platform=platform, dry_run=dry_run)
    except CannotBegin as error:
        sys.exit(str(error))
    except (OSError, SQLAlchemyError) as error:
        sys.exit(str(STOPPED.format(why=first_line(error))))
    sys.exit(0 if success or dry_run else 1)
