"""When the work came and was due, and how the late penalty was computed."""

from __future__ import annotations

from nbgrader.api import SubmittedNotebook

from autograde.pages.feedback.words import EXTENDED, TIMES, UNTIMED
from autograde.teacher.course_times import lateness
from autograde.teacher.late_words import penalty_sentences
from autograde.teacher.lateness import clock
from autograde.teacher.settings import CourseSettings
from bilingual import Text


def late_lines(submitted: SubmittedNotebook, settings: CourseSettings) -> list[Text]:
    """Return the sentences; [] for work in time without an extension, or if no time is known."""
    late = lateness(submitted.assignment, settings)
    if late is None or not (late.is_late or late.extended):
        return []
    times = {
        "handed_in": clock(late.handed_in, settings.zone),
        "due": clock(late.due, settings.zone),
    }
    sentence = UNTIMED if late.untimed else EXTENDED if late.extended else TIMES
    lines = [sentence.format(**times, zone=settings.zone)]
    if late.is_late:
        score, most = submitted.score, submitted.max_score
        lines += penalty_sentences(late, settings.late, score, most)
    return lines
