"""What is late, in nbgrader's own tables and by its own steps.

nbgrader keeps an extension with a student's submission, and asks a plugin what late work loses.
`KeepTimes` writes the deadline and the extension of course.toml there before that, and a moment for
work that a platform called late without one; `renew` does it for a class whose settings or points
have changed since: points given by hand count as well.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from math import isclose
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Assignment, Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.apps import NbGraderAPI
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties, NbGraderPreprocessor
from traitlets import Instance
from traitlets.config import Config, Configurable

from autograde.teacher.collected import marked_late, read_collected
from autograde.teacher.course_times import enrolled, lateness, require_extensions, student_due
from autograde.teacher.errors import CannotBegin
from autograde.teacher.late_words import changed_penalties
from autograde.teacher.lateness import LEAST, is_stand_in, of_gradebook, to_gradebook
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
    """Writes the deadline, a student's extension and unknown times into the gradebook."""

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook as it is."""
        place = resources["nbgrader"]
        root = Path(CourseDirectory(config=self.config).root)
        late_students = marked_late(root, place["assignment"])
        with Gradebook(place["db_url"]) as gradebook:
            submission = gradebook.find_submission(place["assignment"], place["student"])
            update_lateness(submission, self.course, late_students, penalty=False)
            gradebook.db.commit()
        return notebook, resources


def require_times(step: BaseConverter) -> None:
    """Refuse what lateness cannot be computed by, before nbgrader removes what it will make again.

    Raise NbGraderException, and log why: nbgrader then ends without a traceback.
    """
    try:
        _require_times(step.config, step.coursedir)
    except CannotBegin as error:
        step.log.error(str(error))
        raise NbGraderException(str(error)) from error


def _require_times(config: Config, folders: CourseDirectory) -> None:
    """Raise `CannotBegin` for a bad record of `collect`, or an extension that cannot be."""
    read_collected(Path(folders.root), folders.assignment_id)
    with Gradebook(folders.db_url, folders.course_id) as gradebook:
        try:
            assignment = gradebook.find_assignment(folders.assignment_id)
        except MissingEntry:
            return  # nbgrader says so itself
        require_extensions(course_of(config), assignment, enrolled(folders, gradebook))


def renew_and_print(api: NbGraderAPI, chapter: str) -> None:
    """Do as `renew` does, and print whose penalty changed."""
    for line in changed_penalties(chapter, renew(api, chapter)):
        print(line, file=sys.stderr)


def renew(api: NbGraderAPI, chapter: str) -> dict[str, tuple[float, float]]:
    """Bring a class's deadlines, extensions and penalties up to date.

    Return, for each student whose penalty changed, the old and the new one.

    Where a teacher has set a plugin other than `LatePenalty` its penalties stay as they are. Raises
    `CannotBegin` if a deadline or an extension is wrong.
    """
    is_ours = AssignLatePenalties(config=api.config).plugin_class is LatePenalty
    course = course_of(api.config)
    late_students = marked_late(Path(api.coursedir.root), chapter)
    penalties: dict[str, tuple[float, float]] = {}
    with api.gradebook as gradebook:
        assignment = gradebook.find_assignment(chapter)
        require_extensions(course, assignment, enrolled(api.coursedir, gradebook))
        _keep_deadline(assignment, course)  # of one that nobody has handed in, too
        for submission in assignment.submissions:
            before = _sum_of_penalties(submission)
            update_lateness(submission, course, late_students, penalty=is_ours)
            penalties[submission.student_id] = before, _sum_of_penalties(submission)
        gradebook.db.commit()
    return {student: two for student, two in penalties.items() if not isclose(*two, abs_tol=1e-6)}


def _sum_of_penalties(submission: SubmittedAssignment) -> float:
    return sum(one.late_submission_penalty or 0.0 for one in submission.notebooks)


def update_lateness(
    submission: SubmittedAssignment,
    course: Course,
    late_students: Collection[str],
    *,
    penalty: bool,
) -> None:
    """Bring deadline and times of a submission up to date, and its penalty; the caller commits.

    late_students: those whom the platform marked late. penalty: whether that is ours to compute.
    """
    _keep_deadline(submission.assignment, course)
    _keep_times(submission, course, late_students)
    if penalty:
        _renew_penalty(submission, course)


def _renew_penalty(submission: SubmittedAssignment, course: Course) -> None:
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


def _keep_deadline(assignment: Assignment, course: Course) -> None:
    """Write the deadline of course.toml, if it has one, into the gradebook."""
    due = course.deadlines.get(assignment.name)
    if due is not None:
        assignment.duedate = to_gradebook(due)


def _keep_times(
    submission: SubmittedAssignment, course: Course, late_students: Collection[str]
) -> None:
    """Write an extension, and a moment where the platform said late without one.

    As nbgrader has them: the extension is time after the deadline. That moment is `LEAST` after the
    deadline as it is now; a platform knows nothing of extensions.
    """
    chapter, student = submission.assignment.name, submission.student_id
    due = submission.assignment.duedate
    if course.extensions is not None and due is not None:
        own = student_due(course, chapter, student, of_gradebook(due))
        submission.extension = (own - of_gradebook(due)) or None
    if submission.timestamp is None or is_stand_in(submission.timestamp):
        is_late = due is not None and student in late_students and not submission.extension
        submission.timestamp = due + LEAST if is_late else None
