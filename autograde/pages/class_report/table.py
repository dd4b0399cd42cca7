"""The CSV: one row a student, one column an exercise, as a spreadsheet opens it.

Columns that nbgrader's own export has keep its names, an exercise is its column of the gradebook.
UTF-8 with a byte order mark, which tells Excel that the file is not in the system's old encoding.
"""

from __future__ import annotations

import csv
import io

from autograde.pages.class_report.counts import by_hand
from autograde.pages.class_report.register import Register, Row
from bilingual import Language, Text

ENCODING = "utf-8-sig"
# What makes a spreadsheet read text as a formula, or as the start of a new cell (OWASP, "CSV
# Injection"); full-width forms too, which East Asian versions take for the same.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

STATES = {
    "graded": Text(en="graded", zh="已评分"),
    "failed": Text(en="could not be graded", zh="无法评分"),
    "waiting": Text(en="handed in, not graded yet", zh="已提交，尚未评分"),
    "absent": Text(en="nothing handed in", zh="没有提交"),
}


def write_table(register: Register, language: Language) -> str:
    """Return the table as text; notes are in `language`."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\r\n")
    personal = [] if register.pseudonymous else ["last_name", "first_name", "timestamp"]
    columns = [column.name for column in register.columns]
    numbers = ["raw_score", "late_submission_penalty", "score", "max_score", "hours_late"]
    header = ["student_id", *personal, *columns, *numbers, "by_hand", "state", "note"]
    rows.writerow([harmless(cell) for cell in header])
    left = [row.student for _, waiting in by_hand(register) for row in waiting]
    for row in register.rows:
        who = [] if register.pseudonymous else [row.last_name, row.first_name, row.handed_in or ""]
        grades = [_points(row, column) for column in columns]
        sums = [row.score, row.penalty, row.total, register.max_score]
        hours = round(row.seconds_late / 3600, 2)
        notes = [_in_language(text, language) for text in (STATES[row.state], row.problem)]
        cells = [row.student, *who, *grades, *sums, hours, left.count(row.student), *notes]
        rows.writerow([harmless(cell) for cell in cells])
    return file.getvalue()


def harmless(cell: object) -> object:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    if not isinstance(cell, str):
        return cell
    return f"'{cell}" if cell.startswith(FORMULA) or cell.lstrip().startswith(FORMULA) else cell


def _points(row: Row, column: str) -> float | str:
    result = row.result(column)
    return result.score if result else ""


def _in_language(text: Text | None, language: Language) -> str:
    return text.in_language(language, separator=" · ") if text else ""
