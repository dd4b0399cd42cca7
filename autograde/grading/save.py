"""The one writer: hands a graded notebook to nbgrader's own saving.

nbgrader's preprocessors read the points off the outputs into the gradebook, keep points given by
hand, and take off what is late, for which `KeepTimes` writes down deadline and extension. The
folder in `autograded/` is as nbgrader's own autograde leaves it: the graded notebook, the files
beside it, read-only.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbformat.v4 import reads_json
from nbgrader.api import Gradebook, app_log
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties, LimitOutput, SaveAutoGrades
from nbgrader.utils import rmtree

from autograde.grading.files import Submission
from autograde.nbgrader.late import KeepTimes

# each one's `preprocess`, in this order
STEPS = (LimitOutput, SaveAutoGrades, KeepTimes, AssignLatePenalties)


class GradebookWriter:
    """Saves the submissions of one chapter, one after the other."""

    def __init__(self, api: NbGraderAPI, chapter: str) -> None:
        """Set nbgrader's steps up as the course has them configured."""
        self.api, self.chapter = api, chapter
        self.steps = [step(parent=api) for step in STEPS]
        self.autograde = Autograde(coursedir=api.coursedir, parent=api)

    def save(self, student: str, submission: Submission, graded: str) -> None:
        """Write the points of a graded notebook into the gradebook, then its folder."""
        self.enter(student)
        notebook = reads_json(graded)  # our own text: nothing to validate
        resources = {"nbgrader": self._place(student)}
        with _quiet():
            for step in self.steps:
                notebook, resources = step.preprocess(notebook, resources)
        self.remove(student)
        path = self.path(student)
        for name, content in submission.files.items():
            beside = path.parent / name
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(content)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(nbformat.writes(notebook), encoding="utf-8")
        self.autograde.set_permissions(self.chapter, student)

    def enter(self, student: str) -> None:
        """Note in the gradebook that the student handed in, and when."""
        course = self.api.coursedir
        folder = course.format_path(course.submitted_directory, student, self.chapter)
        time = course.get_existing_timestamp(folder)
        when = {"timestamp": time} if time else {}
        with _quiet(), Gradebook(course.db_url, course.course_id) as gradebook:
            gradebook.update_or_create_student(student)
            gradebook.update_or_create_submission(self.chapter, student, **when)

    def remove(self, student: str) -> None:
        """Remove what an earlier grading left in `autograded/`."""
        if self.folder(student).exists():
            rmtree(str(self.folder(student)))

    def folder(self, student: str) -> Path:
        """Return the student's folder in `autograded/`."""
        course = self.api.coursedir
        return Path(course.format_path(course.autograded_directory, student, self.chapter))

    def path(self, student: str) -> Path:
        """Return the graded notebook's path."""
        return self.folder(student) / f"{self.chapter}.ipynb"

    def _place(self, student: str) -> dict[str, str]:
        return {
            "notebook": self.chapter,
            "assignment": self.chapter,
            "student": student,
            "db_url": self.api.coursedir.db_url,
        }


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():  # nbgrader's of SQLAlchemy: not a teacher's to mend
        warnings.simplefilter("ignore")
        app_log.addFilter(_raised_anyway)
        try:
            yield
        finally:
            app_log.removeFilter(_raised_anyway)


def _raised_anyway(record: logging.LogRecord) -> bool:
    return record.exc_info is None  # an error of the database, which the caller gets as well
