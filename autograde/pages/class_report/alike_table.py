"""The CSV of the pairs whose answers are alike: one row a pair and exercise, the weightiest first.

As a spreadsheet opens it; see `autograde/teacher/spreadsheet.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograde.likeness.pairs import Pair
from autograde.teacher.spreadsheet import write_csv

HEADER = ("student", "other_student", "exercise", "share", "weight", "weight_of_pair")


def write_alike_table(pairs: Iterable[Pair]) -> str:
    """Return the table as text."""
    rows = (
        (
            *pair.students,
            one.alike.exercise,
            round(one.alike.share, 3),
            round(one.alike.weight, 1),
            round(pair.weight, 1),
        )
        for pair in pairs
        for one in pair.answers
    )
    return write_csv([HEADER, *rows])
