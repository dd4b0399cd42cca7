"""The CSV of pairs whose answers are alike: one row per pair and exercise, largest weight first.

Below them, students who answered in the same words, each beside the first of the group, without a
weight. The format is that of `autograde/teacher/spreadsheet.py`.
"""

from __future__ import annotations

from autograde.likeness.pairs import Comparison
from autograde.teacher.spreadsheet import write_csv

HEADER = ("student", "other_student", "exercise", "share", "weight", "weight_of_pair")


def write_alike_table(alike: Comparison) -> str:
    """Return the table as text."""
    rows = [
        (
            *pair.students,
            answer.alike.exercise,
            round(answer.alike.share, 3),
            round(answer.alike.weight, 1),
            round(pair.weight, 1),
        )
        for pair in alike.pairs
        for answer in pair.answers
    ]
    for group in alike.groups:
        first, *others = group.students
        rows += [(first, other, group.exercise, 1.0, "", "") for other in others]
    return write_csv([HEADER, *rows])
