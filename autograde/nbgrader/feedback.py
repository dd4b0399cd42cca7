"""The exporter that nbgrader's generate_feedback runs; nbgrader_config.py switches it on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook, SubmittedNotebook
from nbgrader.converters import GenerateFeedback
from traitlets import Enum, Integer, default

from autograde.nbgrader.feedback_folder import copy_nothing, copy_time_and_secret
from autograde.nbgrader.late import require_times
from autograde.pages.feedback.late import late_lines
from autograde.pages.feedback.page import PageWriter
from autograde.register.results import has_no_points_yet
from autograde.teacher.course_folder import ReadsCourse
from autograde.teacher.questions import HandGradedQuestion, questions
from bilingual import LANGUAGES


class FeedbackPage(ReadsCourse, Exporter):
    """Writes a graded notebook as one page that loads nothing and runs nothing."""

    output_mimetype = "text/html"

    language = Enum(LANGUAGES, help="zh, en or both; as KeepLanguage.language if not given").tag(
        config=True
    )
    hints = Integer(2, min=0, help="hints shown for an exercise without full points").tag(
        config=True
    )

    @default("language")
    def _released(self) -> str:
        return self.config.KeepLanguage.get("language", "both")

    @default("file_extension")
    def _html(self) -> str:
        return ".html"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Prepare the page writer; what all submissions share is read only once."""
        super().__init__(*args, **kwargs)
        if isinstance(self.parent, GenerateFeedback):
            require_times(self.parent)
            copy_nothing(self.parent)
        self.writer = PageWriter(self.language, self.hints)
        self.questions: dict[str, dict[str, HandGradedQuestion]] = {}  # by assignment

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page on a notebook into which nbgrader has put the grades."""
        notebook, resources = super().from_notebook_node(nb, resources, **kwargs)
        details = resources["nbgrader"]
        with Gradebook(details["db_url"]) as gradebook:
            names = details["notebook"], details["assignment"], details["student"]
            submitted = gradebook.find_submission_notebook(*names)
            _mark_waiting(notebook, submitted)
            details["late"] = late_lines(submitted, self.course)
        assignment = details["assignment"]
        if assignment not in self.questions:
            self.questions[assignment] = questions(self.parent.coursedir, assignment)
        details["questions"] = self.questions[assignment]
        if isinstance(self.parent, GenerateFeedback):
            folders = self.parent.coursedir
            steps = folders.autograded_directory, folders.feedback_directory
            paths = (folders.format_path(one, details["student"], assignment) for one in steps)
            copy_time_and_secret(*map(Path, paths))
        return self.writer.write(notebook, details), resources


def _mark_waiting(notebook: NotebookNode, submitted: SubmittedNotebook) -> None:
    """Mark in each graded cell whether it waits for a teacher: `GetGrades` adds only points."""
    waiting = {grade.name for grade in submitted.grades if has_no_points_yet(grade)}
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader["waiting"] = cell.metadata.nbgrader.get("grade_id") in waiting
