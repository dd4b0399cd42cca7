"""Runs the demo step by step, and shows its progress."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from autograde.demo import steps
from autograde.demo.folder import make_folder
from autograde.demo.students import Student, class_of
from autograde.demo.table import grade_table, legend
from autograde.register.results import SubmissionResult, read_results
from autograde.teacher.course_folder import course_api
from autograde.teacher.errors import CannotBegin
from autograde.teacher.questions import questions
from bilingual import Text

CHAPTER = Text(en="the chapter the class hands in", zh="全班提交的章节")
FOLDER = Text(en="the folder of the demo class", zh="演示班级所在的目录")
WHERE = Text(
    en="""Where the files are:
  feedback pages  {folder}/feedback/STUDENT/{chapter}/{chapter}.html
  grades          {folder}/grades.csv
  nbgrader's log  {folder}/grading/logs/{chapter}/STUDENT.log
  formgrader      cd {folder} && jupyter lab, then Nbgrader > Formgrader""",
    zh="""结果在这里：
  反馈网页        {folder}/feedback/学生/{chapter}/{chapter}.html
  成绩表          {folder}/grades.csv
  nbgrader日志    {folder}/grading/logs/{chapter}/学生.log
  formgrader      cd {folder} && jupyter lab，然后选Nbgrader > Formgrader""",
)
BY_HAND = Text(
    en="Grade the written answers: cd {folder} && python -m autograde by-hand {chapter}",
    zh="评书面回答：cd {folder} && python -m autograde by-hand {chapter}",
)
CANNOT_WRITE = Text(
    en="The demo cannot write its folder: {why}. Choose another --folder.",
    zh="演示无法写入它的目录：{why}。请换一个--folder。",
)


def demo(folder: Path, root: Path, chapter: str, console: Console) -> list[SubmissionResult]:
    """Teach a class `chapter` of the course at `root` in `folder`; print and return its results.

    Raises `CannotBegin` when the folder is taken, the course is not there or a step fails.
    """
    steps.require_exchange()  # before an earlier demo is replaced
    folder = folder.resolve()
    make_folder(folder, root.resolve(), chapter)
    class_list = class_of(chapter)
    _print(console, *(f"{student.id:16}{student.hands_in.label()}" for student in class_list), "")
    run(folder, chapter, class_list, console)
    api = course_api(folder)
    submissions = read_results(api, chapter)
    by_name = questions(api.coursedir, chapter)
    ids = [student.id for student in class_list]
    submissions.sort(key=lambda one: ids.index(one.student))
    console.print(grade_table(chapter, submissions))
    lines = [WHERE, BY_HAND] if by_name else [WHERE]
    where = (str(text.format(folder=folder, chapter=chapter)) for text in lines)
    _print(console, *legend(submissions, by_name), "", *where)
    return submissions


def run(folder: Path, chapter: str, class_list: list[Student], console: Console) -> None:
    """Run nbgrader's steps from release to export, which writes grades.csv into `folder`."""
    api = course_api(folder)
    ids = [student.id for student in class_list]
    plan: list[tuple[str, Iterable[object], int]] = [
        ("generate_assignment", _once(steps.generate, api, chapter), 1),
        ("release_assignment", _once(steps.release, api, chapter), 1),
        ("db student add", (steps.enrol(api, student) for student in class_list), len(ids)),
        ("submit", (steps.hand_in(api, chapter, student) for student in class_list), len(ids)),
        ("collect", _once(steps.collect, api, chapter), 1),
        ("autograde", steps.autograde(api, chapter), len(ids)),
        ("generate_feedback", _once(steps.give_feedback, api, chapter), 1),
        ("export", _once(steps.export, api, folder / "grades.csv"), 1),
    ]
    with _progress(console) as progress:
        for name, work, total in plan:
            for _ in progress.track(work, total, description=f"nbgrader {name}"):
                pass


def _once(step: Callable[..., None], *args: Any) -> Iterator[None]:
    yield step(*args)


def _print(console: Console, *lines: str) -> None:
    # as written: brackets and numbers are not styled, and the terminal breaks long lines
    console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `demo` to its command."""
    command.add_argument("--chapter", default="02_sinusoidal", help=CHAPTER.label())
    command.add_argument("--folder", type=Path, default=Path("demo"), help=FOLDER.label())
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    try:
        demo(options.folder, Path.cwd(), options.chapter, Console())
    except OSError as error:
        raise CannotBegin(CANNOT_WRITE.format(why=error)) from error
