"""What is late, in nbgrader's own tables and by its own steps.

nbgrader keeps an extension with a student's submission, and asks a plugin what late work loses.
`KeepTimes` writes the deadline and the extension of course.toml there before that; `renew` does it
for a class whose settings or points have changed since: points given by hand count as well.
"""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Assignment, Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties, NbGraderPreprocessor
from traitlets import Instance
from traitlets.config import Config, Configurable

from autograde.teacher.course_times import enrolled, lateness, require_extensions, student_due
from autograde.teacher.lateness import of_gradebook, to_gradebook
from autograde.teacher.settings import Course


class ReadsCourse(Configurable):
    """What knows the choices of course.toml: `c.ReadsCourse.course` in nbgrader_config.py."""

    course = Instance(Course, args=()).tag(config=True)


def course_of(config: Config) -> Course:
    """Return the choices that nbgrader's configuration holds."""
    return ReadsCourse(config=config).course


class LatePenalty(ReadsCourse, LateSubmissionPlugin):
    """The penalty of course.toml, which nbgrader's AssignLatePenalties asks for."""

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float:
        """Return the points that a notebook loses."""
        step = self.parent
        notebook = step.gradebook.find_submission_notebook(
            step.notebook_id, step.assignment_id, student_id
        )
        return _penalty(notebook.assignment, score, notebook.max_score, self.course)


class KeepTimes(ReadsCourse, NbGraderPreprocessor):
    """Writes the deadline and a student's extension into the gradebook."""

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook as it is."""
        place = resources["nbgrader"]
        with Gradebook(place["db_url"]) as gradebook:
            assignment = gradebook.find_assignment(place["assignment"])
            keep_deadline(assignment, self.course)
            submission = gradebook.find_submission(place["assignment"], place["student"])
            keep_extension(submission, self.course)
            gradebook.db.commit()
        return notebook, resources


def require_times(config: Config, folders: CourseDirectory) -> None:
    """Raise `CannotBegin` for extensions that the chapter at hand cannot have."""
    with Gradebook(folders.db_url, folders.course_id) as gradebook:
        try:
            assignment = gradebook.find_assignment(folders.assignment_id)
        except MissingEntry:
            return  # nbgrader says so itself
        require_extensions(course_of(config), assignment, enrolled(folders, gradebook))


def renew(api: NbGraderAPI, chapter: str) -> None:
    """Bring a class's deadlines, extensions and penalties up to date.

    Where a teacher has set a plugin other than `LatePenalty` its penalties stay as they are. Raises
    `CannotBegin` if a deadline or an extension is wrong.
    """
    is_ours = AssignLatePenalties(config=api.config).plugin_class is LatePenalty
    course = course_of(api.config)
    with api.gradebook as gradebook:
        assignment = gradebook.find_assignment(chapter)
        require_extensions(course, assignment, enrolled(api.coursedir, gradebook))
        keep_deadline(assignment, course)
        for submission in assignment.submissions:
            keep_extension(submission, course)
            if is_ours:
                renew_penalty(submission, course)
        gradebook.db.commit()


def renew_penalty(submission: SubmittedAssignment, course: Course) -> None:
    """Bring the penalty of a submission up to date; the caller commits."""
    for notebook in submission.notebooks:
        late = submission.total_seconds_late > 0
        score, most = notebook.score, notebook.max_score
        penalty = _penalty(submission, score, most, course) if late else None
        if penalty != notebook.late_submission_penalty:
            notebook.late_submission_penalty = penalty


def _penalty(submission: SubmittedAssignment, score: float, most: float, course: Course) -> float:
    late = lateness(submission, course)
    if not (late and course.late):
        return 0.0
    penalty, limit = course.late.penalty(late.days, score, most), score - course.late.floor * most
    # nbgrader prints it and formgrader shows it as it is: 4.6, not 4.6000000000000005. Down to the
    # limit it is exact: of a third of a point nothing is left, not 3e-07
    return min(limit, round(penalty, 6)) if penalty < limit else penalty


def keep_deadline(assignment: Assignment, course: Course) -> None:
    """Write the deadline of course.toml, if it has one, into the gradebook; the caller commits."""
    due = course.deadlines.get(assignment.name)
    if due is not None:
        assignment.duedate = to_gradebook(due)


def keep_extension(submission: SubmittedAssignment, course: Course) -> None:
    """Write an extension as nbgrader has it, as time after the deadline; the caller commits."""
    due = submission.assignment.duedate
    if course.extensions is None or due is None:
        return
    own = student_due(course, submission.assignment.name, submission.student_id, of_gradebook(due))
    submission.extension = (own - of_gradebook(due)) or None
