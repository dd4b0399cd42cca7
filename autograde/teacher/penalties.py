"""Deadlines, extensions and late penalties in nbgrader's own tables.

nbgrader stores an extension with a student's submission, and gets penalties from a plugin.
`update_lateness` writes the deadline and the extension of course.toml, and a time for work that a
platform marked late without one. `renew` does this for a whole class after settings or points have
changed, including points given by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from math import isclose
from pathlib import Path

from nbgrader.api import Assignment, SubmittedAssignment
from nbgrader.apps import NbGraderAPI
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties

from autograde.teacher.collected import marked_late
from autograde.teacher.course_folder import ReadsCourse, settings_of
from autograde.teacher.course_times import enrolled, lateness, require_extensions, student_due
from autograde.teacher.late_words import changed_penalties
from autograde.teacher.lateness import UNKNOWN_DELAY, is_stand_in, of_gradebook, to_gradebook
from autograde.teacher.settings import CourseSettings


class LatePenalty(ReadsCourse, LateSubmissionPlugin):
    """The penalty of course.toml, as a plugin for nbgrader's AssignLatePenalties."""

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float:
        """Return the points that a notebook loses."""
        step = self.parent
        notebook = step.gradebook.find_submission_notebook(
            step.notebook_id, step.assignment_id, student_id
        )
        return _penalty(notebook.assignment, score, notebook.max_score, self.course)


def renew_and_print(api: NbGraderAPI, chapter: str) -> None:
    """Call `renew`, and print each student's penalty that changed."""
    for line in changed_penalties(chapter, renew(api, chapter)):
        print(line, file=sys.stderr)


def renew(api: NbGraderAPI, chapter: str) -> dict[str, tuple[float, float]]:
    """Bring a class's deadlines, extensions and penalties up to date.

    Return, for each student whose penalty changed, the old and the new one.

    If a teacher has set a plugin other than `LatePenalty`, its penalties stay as they are. Raises
    `CannotBegin` if an extension is wrong, or the record of `collect` cannot be read.
    """
    is_ours = AssignLatePenalties(config=api.config).plugin_class is LatePenalty
    settings = settings_of(api.config)
    late_students = marked_late(Path(api.coursedir.root), chapter)
    penalties: dict[str, tuple[float, float]] = {}
    with api.gradebook as gradebook:
        assignment = gradebook.find_assignment(chapter)
        require_extensions(settings, assignment, enrolled(api.coursedir, gradebook))
        _keep_deadline(assignment, settings)  # even if nobody has handed in
        for submission in assignment.submissions:
            before = _sum_of_penalties(submission)
            update_lateness(submission, settings, late_students, penalty=is_ours)
            penalties[submission.student_id] = before, _sum_of_penalties(submission)
        gradebook.db.commit()
    return {student: two for student, two in penalties.items() if not isclose(*two, abs_tol=1e-6)}


def _sum_of_penalties(submission: SubmittedAssignment) -> float:
    return sum(one.late_submission_penalty or 0.0 for one in submission.notebooks)


def update_lateness(
    submission: SubmittedAssignment,
    settings: CourseSettings,
    late_students: Collection[str],
    *,
    penalty: bool,
) -> None:
    """Bring a submission's deadline, times and penalty up to date; the caller commits.

    late_students: those whom the platform marked late. penalty: whether to compute the penalty.
    """
    _keep_deadline(submission.assignment, settings)
    _keep_times(submission, settings, late_students)
    if penalty:
        _renew_penalty(submission, settings)


def _renew_penalty(submission: SubmittedAssignment, settings: CourseSettings) -> None:
    for notebook in submission.notebooks:
        late = submission.total_seconds_late > 0
        score, most = notebook.score, notebook.max_score
        penalty = _penalty(submission, score, most, settings) if late else None
        if penalty != notebook.late_submission_penalty:
            notebook.late_submission_penalty = penalty


def _penalty(
    submission: SubmittedAssignment, score: float, most: float, settings: CourseSettings
) -> float:
    late = lateness(submission, settings)
    if not (late and settings.late):
        return 0.0
    penalty, limit = (
        settings.late.penalty(late.days, score, most),
        score - settings.late.floor * most,
    )
    # nbgrader and formgrader show all digits, so round: 4.6, not 4.6000000000000005. The limit
    # itself stays exact: a third of a point leaves 0, not 3e-07
    return min(limit, round(penalty, 6)) if penalty < limit else penalty


def _keep_deadline(assignment: Assignment, settings: CourseSettings) -> None:
    """Write the deadline of course.toml, if it has one, into the gradebook."""
    due = settings.deadlines.get(assignment.name)
    if due is not None:
        assignment.duedate = to_gradebook(due)


def _keep_times(
    submission: SubmittedAssignment, settings: CourseSettings, late_students: Collection[str]
) -> None:
    """Write the extension, and a time if the platform marked the work late without one.

    nbgrader's extension is a span after the deadline. The time is `UNKNOWN_DELAY` after the current
    deadline; with an extension there is no such time, because the platform does not know of it.
    """
    chapter, student = submission.assignment.name, submission.student_id
    due = submission.assignment.duedate
    if settings.extensions is not None and due is not None:
        own = student_due(settings, chapter, student, of_gradebook(due))
        submission.extension = (own - of_gradebook(due)) or None
    if submission.timestamp is None or is_stand_in(submission.timestamp):
        is_late = due is not None and student in late_students and not submission.extension
        submission.timestamp = due + UNKNOWN_DELAY if is_late else None
