"""`python -m autograde grade`: what is shown while a class is graded."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import isclose
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text as Words

from autograde.judging.cluster import cluster
from autograde.judging.grade import ClassGrading, GradeError, course_api
from autograde.judging.pool import Judges
from autograde.judging.regrade import points
from bilingual import Text

GRADE = Text(
    en="grade a class: nbgrader's autograde, several submissions at a time",
    zh="给一个班评分：即nbgrader的autograde，多份提交同时进行",
)
CHAPTER = Text(en="the chapter, e.g. 02_sinusoidal", zh="章节，例如02_sinusoidal")
WORKERS = Text(en="processes that judge (one for each core)", zh="评分进程数（默认每核一个）")
SCHEDULER = Text(
    en="judge on the Dask cluster of this scheduler (docs/teaching.md)",
    zh="在该调度器的Dask集群上评分（见docs/teaching.md）",
)
STUDENT = Text(
    en="only this student's submission; may be given several times",
    zh="只评这名学生的提交；可以多次给出",
)
AGAIN = Text(
    en="grade those too that have been graded, with new inputs",
    zh="已评过的也重新评，检查的输入重新抽取",
)
REPEAT = Text(
    en="as --again, with the inputs of the last time",
    zh="同--again，但检查的输入与上次相同",
)
CHANGED = Text(en="Other points than before: {count}", zh="得分与之前不同的：{count}份")
DONE = Text(
    en="{graded} graded, {earlier} had been graded before, {failed} could not be graded.",
    zh="已评{graded}份；此前已评{earlier}份；无法评分{failed}份。",
)


class RateColumn(TextColumn):
    """How many submissions a second."""

    def __init__(self) -> None:
        """Start without one."""
        super().__init__("")

    def render(self, task: Task) -> Words:
        """Return the rate, once there is one."""
        return Words(f"{task.speed:.1f}/s" if task.speed else "")


def grade(
    course: Path,
    chapter: str,
    console: Console,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    students: Sequence[str] = (),
    again: bool = False,
    repeat: bool = False,
) -> bool:
    """Grade what waits; print what became of it; return whether all could be graded.

    workers: processes that judge, one for each core if None. scheduler: the tls:// address of a
    Dask cluster that judges instead. students: only these, if any are named. again: grade anew,
    with new inputs; repeat: with those of the last time.
    Raises `GradeError` when there is nothing to grade.
    """
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), RateColumn(),
        TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with cluster(scheduler) if scheduler else Judges(workers) as pool:
        api = course_api(course)
        grading = ClassGrading(api, chapter, only=students, again=again, repeat=repeat)
        before = points(api, chapter) if again or repeat else {}
        earlier = len(grading.submitted) - len(grading.waiting)
        failed, total = [], len(grading.waiting)
        graded = grading.grade(pool, grading.waiting)
        with Progress(*columns, console=console) as progress:
            for done in progress.track(graded, total, description=f"grade {chapter}"):
                failed += [] if done.success else [done]
    said = DONE.format(graded=total - len(failed), earlier=earlier, failed=len(failed))
    lines = [str(said), *(f"  {one.student}: {one.log}" for one in failed)]
    if before:
        lines += _changed(before, points(api, chapter))
    console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
    return not failed


def _changed(before: dict[str, float], after: dict[str, float]) -> list[str]:
    other = [one for one in sorted(before) if not isclose(before[one], after[one], abs_tol=1e-9)]
    lines = [f"  {one}: {before[one]:g} → {after[one]:g}" for one in other]
    return [str(CHANGED.format(count=len(other))), *lines]


def add_grade(commands: Any) -> None:
    """Add `grade` to the command line."""
    command = commands.add_parser("grade", help=GRADE.label(), description=GRADE.label())
    command.add_argument("chapter", help=CHAPTER.label())
    command.add_argument("--workers", type=int, help=WORKERS.label())
    command.add_argument("--scheduler", metavar="tls://…", help=SCHEDULER.label())
    command.add_argument("--student", action="append", default=[], help=STUDENT.label())
    anew = command.add_mutually_exclusive_group()
    anew.add_argument("--again", action="store_true", help=AGAIN.label())
    anew.add_argument("--repeat", action="store_true", help=REPEAT.label())
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    try:
        whole = grade(
            Path.cwd(),
            options.chapter,
            Console(),
            workers=options.workers,
            scheduler=options.scheduler,
            students=options.student,
            again=options.again,
            repeat=options.repeat,
        )
    except GradeError as error:
        sys.exit(str(error))
    sys.exit(0 if whole else 1)
