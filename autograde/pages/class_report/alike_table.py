"""The CSV of the pairs whose answers are alike: one row a pair and exercise, the weightiest first.

As a spreadsheet opens it; see `table.py`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from autograde.likeness.pairs import Pair
from autograde.pages.class_report.table import harmless

HEADER = ("student", "other_student", "exercise", "share", "weight", "weight_of_pair")


def write_alike_table(pairs: Iterable[Pair]) -> str:
    """Return the table as text."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\r\n")
    rows.writerow(HEADER)
    for pair in pairs:
        for one in pair.answers:
            weights = [round(weight, 1) for weight in (one.alike.weight, pair.weight)]
            cells = [*pair.students, one.alike.exercise, round(one.alike.share, 3), *weights]
            rows.writerow([harmless(cell) for cell in cells])
    return file.getvalue()
