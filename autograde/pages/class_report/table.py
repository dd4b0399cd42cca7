"""The CSV: one row per student, one column per exercise, as a spreadsheet opens it.

Columns that nbgrader's own export has keep its names; exercises keep the gradebook's names.
"""

from __future__ import annotations

from datetime import tzinfo

from autograde.pages.class_report.counts import by_hand
from autograde.register.register import Register, Row
from autograde.register.states import state_of, times
from autograde.teacher.spreadsheet import in_language, write_csv
from bilingual import Language

PERSONAL = ("last_name", "first_name", "timestamp", "extended_to", "timezone")
NUMBERS = ("raw_score", "late_submission_penalty", "score", "max_score")


def write_table(register: Register, language: Language) -> str:
    """Return the table as text; notes are in `language`."""
    personal = [] if register.pseudonymous else PERSONAL
    columns = [column.name for column in register.columns]
    late = ["days_late"] if register.pseudonymous else ["hours_late", "days_late"]
    header = ["student_id", *personal, *columns, *NUMBERS, *late, "by_hand", "state", "note"]
    table: list[list[object]] = [header]
    left = [row.student for _, waiting in by_hand(register) for row in waiting]
    for row in register.rows:
        who = [] if register.pseudonymous else _personal(row, register.zone)
        grades = [_points(row, column) for column in columns]
        sums = [row.score, row.penalty, row.total, register.max_score]
        hours = [] if register.pseudonymous else [_hours(row)]
        notes = [in_language(text, language) for text in (state_of(row), row.problem)]
        counts = [*hours, row.days_late, left.count(row.student)]
        table.append([row.student, *who, *grades, *sums, *counts, *notes])
    return write_csv(table)


def _hours(row: Row) -> object:
    """Return how many hours late work came; empty if the platform only marks it late."""
    is_known = row.handed_in or not row.seconds_late
    return round(row.seconds_late / 3600, 2) if is_known else ""


def _personal(row: Row, zone: tzinfo) -> list[object]:
    return [row.last_name, row.first_name, *times(row, zone)]


def _points(row: Row, column: str) -> float | str:
    result = row.result(column)
    return result.score if result else ""
