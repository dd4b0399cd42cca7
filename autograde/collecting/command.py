"""`python -m autograde collect`: its options."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bilingual import Text

CHAPTER = Text(en="the chapter, e.g. 02_sinusoidal", zh="章节，例如02_sinusoidal")
PLATFORM = Text(
    en="where the download is from (found by the shape of its names if not given): {platforms}",
    zh="下载来自哪里（不给出则按命名方式辨认）：{platforms}",
)
DRY_RUN = Text(
    en="show the table of who handed in what, and write nothing",
    zh="只显示谁交了什么的表，不写入任何内容",
)
STOPPED = Text(
    en="Collecting was stopped: {why}. Each submission that was written is whole; once the cause "
    "is gone, run the same command again.",
    zh="收作业中断：{why}。已写入的每份提交都是完整的；排除原因后，再次运行同一条命令即可。",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `collect`."""
    from autograde.collecting.platforms import PLATFORMS

    command.add_argument("chapter", help=CHAPTER.label())
    about = PLATFORM.format(platforms=", ".join(PLATFORMS)).label()
    command.add_argument("--platform", choices=PLATFORMS, metavar="NAME", help=about)
    command.add_argument("--dry-run", action="store_true", help=DRY_RUN.label())
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from rich.console import Console
    from sqlalchemy.exc import SQLAlchemyError

    from autograde.collecting.collect import collect
    from autograde.grading.process_limits import limit_memory
    from autograde.teacher.course_folder import CannotBegin, course_api

    limit_memory()
    try:
        course = course_api(Path.cwd()).coursedir
        written = collect(
            course,
            options.chapter,
            Console(),
            platform=options.platform,
            dry_run=options.dry_run,
        )
    except CannotBegin as error:
        sys.exit(str(error))
    except (OSError, SQLAlchemyError) as error:
        why = f"{type(error).__name__} {error}".split("\n")[0]
        sys.exit(str(STOPPED.format(why=why)))
    sys.exit(0 if written or options.dry_run else 1)
