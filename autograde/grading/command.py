"""`python -m autograde grade`: its options, and where it grades."""

from __future__ import annotations

import argparse
import gc
import os
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from autograde.grading.grader_limits import limit_memory
from autograde.grading.options import DEFAULT_LIMITS
from autograde.teacher.arguments import CHAPTER
from autograde.teacher.errors import CONFIG, first_line, require_course
from bilingual import Text
from confined.control_group import new_group

if TYPE_CHECKING:
    from autograde.grading.pool import GradingPool

NO_PICTURES = re.compile(rb"\bpictures\s*=\s*False")
WORKERS = Text(en="processes that grade (one for each core)", zh="评分进程数（默认每核一个）")
SCHEDULER = Text(
    en="grade on the Dask cluster of this scheduler (docs/cluster.md)",
    zh="在该调度器的Dask集群上评分（见docs/cluster.md）",
)
STUDENT = Text(
    en="only this student's submission; may be given several times",
    zh="只评这名学生的提交；可以多次给出",
)
AGAIN = Text(
    en="also grade what has been graded before, with new inputs",
    zh="已评过的也重新评，检查的输入重新抽取",
)
REPEAT = Text(
    en="like --again, but with the inputs of last time if the submission is the same",
    zh="同--again，但提交未变时，检查的输入与上次相同",
)
AT_LEAST_ONE = Text(en="a number of at least 1, not {given}", zh="应为不小于1的整数，而不是{given}")
NO_FORK = Text(
    en="Grading needs Linux or macOS; on Windows, run it in WSL (docs/security.md).",
    zh="评分需要Linux或macOS；在Windows上请在WSL里运行（见docs/security.md）。",
)
NO_CGROUP = Text(
    en="No cgroup here ({why}): memory is limited for each process, not for a whole submission. "
    "`python -m autograde doctor --teacher` says what to do.",
    zh="本机没有可用的cgroup（{why}）：内存按单个进程限制，而不是按整份提交。"
    "怎么办见`python -m autograde doctor --teacher`。",
)
STOPPED = Text(
    en="Grading was stopped: {why}. What has been graded is saved; once the cause is gone, {next}",
    zh="评分中断：{why}。已评的都已保存；排除原因后，{next}",
)
INTERRUPTED = Text(
    en="You stopped the grading. What has been graded is saved; {next}",
    zh="你中断了评分。已评的都已保存；{next}",
)
REST = Text(
    en="run the same command again for the rest.",
    zh="再次运行同一条命令即可评完其余的。",
)
ALL = Text(
    en="the same command begins with the first again.",
    zh="再次运行同一条命令会从头评起。",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `grade`."""
    command.add_argument("chapter", help=CHAPTER.label())
    where = command.add_mutually_exclusive_group()
    where.add_argument("--workers", type=_at_least_one, help=WORKERS.label())
    where.add_argument("--scheduler", metavar="tls://…", help=SCHEDULER.label())
    command.add_argument("--student", action="append", default=[], help=STUDENT.label())
    graded_before = command.add_mutually_exclusive_group()
    graded_before.add_argument("--again", action="store_true", help=AGAIN.label())
    graded_before.add_argument("--repeat", action="store_true", help=REPEAT.label())
    command.set_defaults(run=_run)


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(AT_LEAST_ONE.format(given=text).label())
    return int(text)


def _pool(workers: int | None) -> GradingPool:
    if not hasattr(os, "fork"):
        sys.exit(str(NO_FORK))
    # cannot be imported on Windows
    from autograde.grading.pool import SCORING, SCORING_AND_PICTURES, GradingPool

    try:
        new_group(DEFAULT_LIMITS).close()
    except (OSError, ValueError) as error:
        print(NO_CGROUP.format(why=first_line(error)))
    try:
        return GradingPool(workers, SCORING if _no_pictures() else SCORING_AND_PICTURES)
    except OSError as error:  # not even a socket file can be created
        sys.exit(str(STOPPED.format(why=first_line(error), next=REST)))


def _no_pictures() -> bool:
    """Guess from the text of the configuration whether it turns pictures off; running it is slow.

    A wrong guess costs only the time to start more processes.
    """
    configuration = Path(CONFIG)
    return configuration.is_file() and bool(NO_PICTURES.search(configuration.read_bytes()))


def _run(options: argparse.Namespace) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # like Ctrl-C
    require_course(Path.cwd())  # before any process is started
    limit_memory()
    pool = None if options.scheduler else _pool(options.workers)
    # while those processes import torch, this one imports nbgrader: both take seconds
    gc.disable()
    from nbgrader.api import InvalidEntry  # what its gradebook raises when it cannot write
    from sqlalchemy.exc import SQLAlchemyError

    from autograde.grading.cluster import cluster
    from autograde.grading.display import grade

    gc.freeze()  # imported objects stay: the garbage collector can skip them
    gc.enable()
    try:
        with pool or cluster(options.scheduler) as executor:
            whole = grade(
                Path.cwd(),
                options.chapter,
                Console(),
                executor,
                students=options.student,
                again=options.again,
                repeat=options.repeat,
            )
    except KeyboardInterrupt:
        sys.exit(str(INTERRUPTED.format(next=_next(options))))
    except (OSError, MemoryError, SQLAlchemyError, InvalidEntry) as error:
        sys.exit(str(STOPPED.format(why=first_line(error), next=_next(options))))
    sys.exit(0 if whole else 1)


def _next(options: argparse.Namespace) -> Text:
    return ALL if options.again or options.repeat else REST
