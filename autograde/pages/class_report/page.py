"""The page: one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from autograde.likeness.pairs import Comparison
from autograde.pages.class_report import counts, words
from autograde.pages.class_report.exercise_counts import count_exercises
from autograde.pages.class_report.histogram import histogram
from autograde.pages.class_report.item_statistics import FEWEST, item_statistics
from autograde.pages.class_report.together import together
from autograde.pages.marking import Marking, cut
from autograde.pages.marks import MARKS, letter_of
from autograde.pages.templates import templates
from autograde.register.register import Register
from autograde.teacher.late_words import late_by
from autograde.teacher.lateness import clock
from bilingual import Language


def write_page(
    register: Register,
    language: Language,
    now: datetime,
    alike: Comparison | None = None,
) -> str:
    """Return the page on a register with at least one graded submission.

    now: with its time zone. alike: whose answers are alike; None leaves that part out.
    """
    marking = Marking(language)
    names = {
        "course": marking.course,
        "excerpt": marking.excerpt,
        "cut": cut,
        "late_by": late_by,
        "letter_of": letter_of,
        "words": words,
        "marks": MARKS,
    }
    pages = templates("autograde.pages.class_report", marking, names)
    show = partial(clock, zone=register.zone)
    points = counts.points(register)
    exercises = count_exercises(register)
    return pages.get_template("page.html").render(
        languages=marking.languages,
        register=register,
        now=show(now),
        due=show(register.due) if register.due else None,
        clock=show,
        points=points,
        picture=histogram(points.scores, register.max_score),
        exercises=exercises,
        items=item_statistics(register, exercises),
        together=together(exercises, len(register.in_state("graded"))),
        fewest=FEWEST,
        most_holders=max(len(one.holders) for one in exercises) if exercises else 0,
        stuck=counts.stuck(register),
        late=counts.late(register),
        extended=[row for row in register.rows if row.extended],
        not_run=counts.not_run(register),
        by_hand=counts.by_hand(register),
        by_hand_count=sum(one.marks["waiting"] for one in exercises),
        alike=alike,
        row_of={row.student: row for row in register.rows},
        column_of={column.name: column for column in register.columns},
    )
