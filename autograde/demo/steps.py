"""nbgrader's steps, run through its API, each named as the command that a teacher would type."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.apps import NbGraderAPI
from nbgrader.utils import capture_log, temp_attrs

from autograde.demo.students import DUE, Student
from autograde.demo.workbook import Workbook
from autograde.grading.class_grading import ClassGrading, Graded
from autograde.grading.pool import GradingPool
from autograde.nbgrader.export import Spreadsheet
from autograde.teacher.errors import CannotBegin
from bilingual import Text

NO_EXCHANGE = Text(
    en="nbgrader's exchange works on Linux and macOS only, and so does this demo.",
    zh="nbgrader的作业交换目录只支持Linux和macOS，本演示也是如此。",
)
FAILED = Text(en="`nbgrader {step}` failed:\n{log}", zh="`nbgrader {step}`失败：\n{log}")


def require_exchange() -> None:
    """Raise `CannotBegin` if nbgrader has no exchange on this system."""
    if sys.platform == "win32":
        raise CannotBegin(NO_EXCHANGE)


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
        # the only thing that is simulated: the clock
        submit.set_timestamp = lambda: setattr(submit, "timestamp", student.when)
        _done("submit", capture_log(submit))


def collect(api: NbGraderAPI, chapter: str) -> None:
    """Collect what was handed in."""
    _done("collect", api.collect(chapter))


def autograde(api: NbGraderAPI, chapter: str) -> Iterator[Graded]:
    """Grade the class as `python -m autograde grade` does; a failure stops no other submission."""
    grading = ClassGrading(api, chapter)
    with GradingPool() as pool:
        yield from grading.grade(pool, grading.waiting)


def give_feedback(api: NbGraderAPI, chapter: str) -> None:
    """Write the feedback pages and put them into the exchange."""
    _done("generate_feedback", api.generate_feedback(chapter))
    with temp_attrs(api.coursedir, assignment_id=chapter, student_id="*"):
        # not by api.release_feedback, which misspells an argument and warns of it
        _done("release_feedback", capture_log(api.exchange.ReleaseFeedback(**_parts(api))))


def export(api: NbGraderAPI, path: Path) -> None:
    """Write the grades of all students as a table of comma-separated values."""
    with api.gradebook as gradebook:
        Spreadsheet(to=str(path), parent=api).export(gradebook)


def _parts(api: NbGraderAPI) -> dict[str, Any]:
    return {"coursedir": api.coursedir, "authenticator": api.authenticator, "parent": api}


def _done(step: str, result: dict[str, Any]) -> None:
    if not result["success"]:
        log = result.get("log", "") + result.get("error", "")
        raise CannotBegin(FAILED.format(step=step, log=log))
