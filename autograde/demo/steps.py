"""nbgrader's steps, as its own API takes them, each with the command that a teacher would type."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from nbgrader.apps import NbGraderAPI
from nbgrader.plugins import CsvExportPlugin
from nbgrader.utils import capture_log, temp_attrs
from traitlets.config import PyFileConfigLoader

from autograde.demo.folder import CONFIG, DemoError
from autograde.demo.students import DUE, Student
from autograde.demo.workbook import Workbook
from bilingual import Text

NO_EXCHANGE = Text(
    en="nbgrader's exchange works on Linux and macOS only, and so does this demo.",
    zh="nbgrader的作业交换目录只支持Linux和macOS，本演示也是如此。",
)
FAILED = Text(en="`nbgrader {step}` failed:\n{log}", zh="`nbgrader {step}`失败：\n{log}")


def teacher(folder: Path) -> NbGraderAPI:
    """Return nbgrader as the teacher of the course in `folder` uses it."""
    if sys.platform == "win32":
        raise DemoError(str(NO_EXCHANGE))
    config = PyFileConfigLoader(CONFIG, path=str(folder)).load_config()
    return NbGraderAPI(config=config)


def generate(api: NbGraderAPI, chapter: str) -> None:
    """Make the student version and set when it is due."""
    _done("generate_assignment", api.generate_assignment(chapter))
    with api.gradebook as gradebook:
        gradebook.update_or_create_assignment(chapter, duedate=DUE)


def release(api: NbGraderAPI, chapter: str) -> None:
    """Put the student version into the exchange."""
    _done("release_assignment", api.release_assignment(chapter))


def enrol(api: NbGraderAPI, student: Student) -> None:
    """Add a student to the gradebook; without a name, formgrader calls them `None, None`."""
    with api.gradebook as gradebook:
        name = student.id.replace("_", " ")
        gradebook.update_or_create_student(student.id, last_name=name, first_name="demo")


def hand_in(api: NbGraderAPI, chapter: str, student: Student) -> None:
    """Play a student: fetch the chapter, work on it, submit it."""
    root = Path(api.coursedir.root)
    home = root / "students" / student.id
    notebook = Path(chapter) / f"{chapter}.ipynb"
    with temp_attrs(api.coursedir, assignment_id=chapter, student_id=student.id):
        fetch = api.exchange.FetchAssignment(assignment_dir=str(home), **_parts(api))
        _done("fetch_assignment", capture_log(fetch))
        book = Workbook(home / notebook, root / "solutions" / notebook)
        student.edit(book)
        (home / notebook).write_text(student.damage(book.text()), encoding="utf-8")
        submit = api.exchange.Submit(assignment_dir=str(home), **_parts(api))
        # the one thing that is played: the clock
        submit.set_timestamp = lambda: setattr(submit, "timestamp", student.when)
        _done("submit", capture_log(submit))


def collect(api: NbGraderAPI, chapter: str) -> None:
    """Collect what was handed in."""
    _done("collect", api.collect(chapter))


def autograde(folder: Path, chapter: str, student_ids: list[str]) -> Iterator[tuple[str, bool]]:
    """Grade the class, several at a time; yield who was graded and whether it could be done.

    Equals `nbgrader autograde CHAPTER --student ID` for each: one that fails stops no other. What
    nbgrader said lies in `logs/ID.log`, what the kernels said in `logs/kernels.log`.
    """
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    workers = ProcessPoolExecutor(
        os.cpu_count(),
        get_context("spawn"),
        initializer=_stderr_to,
        initargs=(logs / "kernels.log",),
    )
    with workers as pool:
        waiting = {pool.submit(grade, folder, chapter, name): name for name in student_ids}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def grade(folder: Path, chapter: str, student_id: str) -> bool:
    """Grade one submission; return whether it could be done."""
    result = teacher(folder).autograde(chapter, student_id)
    said = result.get("log", "") + result.get("error", "")
    (folder / "logs" / f"{student_id}.log").write_text(said, encoding="utf-8")
    return result["success"]


def _stderr_to(path: Path) -> None:
    """Send what this process and its kernels write to stderr to a file, at the system's level."""
    with path.open("a", encoding="utf-8") as log:
        os.dup2(log.fileno(), sys.stderr.fileno())


def give_feedback(api: NbGraderAPI, chapter: str) -> None:
    """Write the feedback pages and put them into the exchange."""
    _done("generate_feedback", api.generate_feedback(chapter))
    with temp_attrs(api.coursedir, assignment_id=chapter, student_id="*"):
        # not by api.release_feedback, which misspells an argument and warns of it
        _done("release_feedback", capture_log(api.exchange.ReleaseFeedback(**_parts(api))))


def export(api: NbGraderAPI, path: Path) -> None:
    """Write the grades of all students as a table of comma-separated values."""
    with api.gradebook as gradebook:
        CsvExportPlugin(to=str(path), parent=api).export(gradebook)


def _parts(api: NbGraderAPI) -> dict[str, Any]:
    return {"coursedir": api.coursedir, "authenticator": api.authenticator, "parent": api}


def _done(step: str, result: dict[str, Any]) -> None:
    if not result["success"]:
        log = result.get("log", "") + result.get("error", "")
        raise DemoError(str(FAILED.format(step=step, log=log)))
