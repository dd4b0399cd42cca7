"""The only writer: saves graded notebooks with nbgrader's own steps.

nbgrader's preprocessors read the points from the outputs into the gradebook, keep points given by
hand, and subtract late penalties. The folder in `autograded/` is as nbgrader's own autograde leaves
it: the graded notebook, the files beside it, read-only.

One gradebook is open for the whole class, and a submission is one transaction in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import reads_json, writes_json
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties, LimitOutput
from nbgrader.utils import rmtree

from autograde.grading.open_gradebook import SaveIntoOpen, quiet, transaction
from autograde.handed_in.files import Submission
from autograde.handed_in.timestamp import handed_in_at
from autograde.teacher.collected import marked_late
from autograde.teacher.course_folder import settings_of
from autograde.teacher.penalties import LatePenalty, update_lateness
from bilingual.files import write_whole


class GradebookWriter:
    """Saves the submissions of one chapter as the steps of `nbgrader/autograde.py` do.

    A context manager: within it the gradebook is open.
    """

    def __init__(self, api: NbGraderAPI, chapter: str) -> None:
        """Set up nbgrader's steps with the course's configuration."""
        self.api, self.chapter = api, chapter
        self.limit, self.points = LimitOutput(parent=api), SaveIntoOpen(parent=api)
        self.late = AssignLatePenalties(parent=api)
        self.autograde = Autograde(coursedir=api.coursedir, parent=api)
        self.late_students = marked_late(Path(api.coursedir.root), chapter)

    def __enter__(self) -> GradebookWriter:
        """Open the gradebook."""
        folders = self.api.coursedir
        with quiet():
            self.gradebook = Gradebook(folders.db_url, folders.course_id)
        return self

    def __exit__(self, *raised: object) -> None:
        """Close it."""
        self.gradebook.close()

    def save(self, student: str, submission: Submission, graded: str) -> None:
        """Write the points of a graded notebook into the gradebook, then its folder.

        Raises PermissionError, and leaves the gradebook as it was, if the folder is another user's.
        """
        path = self.path(student)
        notebook = reads_json(graded)  # our own text: nothing to validate
        resources = {"nbgrader": self._ids(student)}
        with transaction(self.gradebook):
            self._enter(student)
            self.remove(student)
            path.parent.mkdir(parents=True, exist_ok=True)
            notebook, resources = self.limit.preprocess(notebook, resources)
            self._save_points(student, notebook, resources)
            self._take_off_what_is_late(student)
        if self.late.plugin_class is not LatePenalty:  # a teacher's own plugin: nbgrader calls it
            with quiet():
                self.late.preprocess(notebook, resources)
        for name, content in submission.files.items():
            beside = path.parent / name
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(content)
        write_whole(path, writes_json(notebook).encode())  # last: if it exists, it counts as graded
        self.autograde.set_permissions(self.chapter, student)

    def enter(self, student: str) -> None:
        """Note in the gradebook that the student handed in, and when, if that is known."""
        with transaction(self.gradebook):
            self._enter(student)

    def _enter(self, student: str) -> None:
        folders = self.api.coursedir
        folder = folders.format_path(folders.submitted_directory, student, self.chapter)
        self.gradebook.update_or_create_student(student)
        self.gradebook.update_or_create_submission(
            self.chapter, student, timestamp=handed_in_at(Path(folder))
        )

    def remove(self, student: str) -> None:
        """Remove what an earlier grading left in `autograded/`."""
        if self.folder(student).exists():
            rmtree(str(self.folder(student)))

    def folder(self, student: str) -> Path:
        """Return the student's folder in `autograded/`."""
        folders = self.api.coursedir
        return Path(folders.format_path(folders.autograded_directory, student, self.chapter))

    def path(self, student: str) -> Path:
        """Return the graded notebook's path."""
        return self.folder(student) / f"{self.chapter}.ipynb"

    def _save_points(self, student: str, notebook: NotebookNode, resources: dict[str, Any]) -> None:
        step = self.points
        step.gradebook, step.student_id = self.gradebook, student
        step.notebook_id = step.assignment_id = self.chapter
        step.preprocess(notebook, resources)

    def _take_off_what_is_late(self, student: str) -> None:
        self.gradebook.db.expire_all()  # scores are sums, loaded before the points were saved
        submission = self.gradebook.find_submission(self.chapter, student)
        settings, is_ours = settings_of(self.api.config), self.late.plugin_class is LatePenalty
        update_lateness(submission, settings, self.late_students, penalty=is_ours)
        self.gradebook.db.commit()

    def _ids(self, student: str) -> dict[str, str]:
        return {
            "notebook": self.chapter,
            "assignment": self.chapter,
            "student": student,
            "db_url": self.api.coursedir.db_url,
        }
