"""The steps of nbgrader that write lateness into its tables, or refuse to begin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets.config import Config

from autograde.teacher.collected import marked_late, read_collected
from autograde.teacher.course_folder import ReadsCourse, settings_of
from autograde.teacher.course_times import enrolled, require_extensions
from autograde.teacher.errors import CannotBegin
from autograde.teacher.penalties import update_lateness


class KeepTimes(ReadsCourse, NbGraderPreprocessor):
    """Writes the deadline, a student's extension and unknown times into the gradebook."""

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook as it is."""
        ids = resources["nbgrader"]
        root = Path(CourseDirectory(config=self.config).root)
        late_students = marked_late(root, ids["assignment"])
        with Gradebook(ids["db_url"]) as gradebook:
            submission = gradebook.find_submission(ids["assignment"], ids["student"])
            update_lateness(submission, self.course, late_students, penalty=False)
            gradebook.db.commit()
        return notebook, resources


def require_times(step: BaseConverter) -> None:
    """Refuse times that give no lateness, before nbgrader removes the results to be replaced.

    Raises NbGraderException and logs why: nbgrader then ends without a traceback.
    """
    try:
        _require_times(step.config, step.coursedir)
    except CannotBegin as error:
        step.log.error(str(error))
        raise NbGraderException(str(error)) from error


def _require_times(config: Config, folders: CourseDirectory) -> None:
    """Raise `CannotBegin` for a bad record of `collect`, or an impossible extension."""
    read_collected(Path(folders.root), folders.assignment_id)
    with Gradebook(folders.db_url, folders.course_id) as gradebook:
        try:
            assignment = gradebook.find_assignment(folders.assignment_id)
        except MissingEntry:
            return  # nbgrader says so itself
        require_extensions(settings_of(config), assignment, enrolled(folders, gradebook))
