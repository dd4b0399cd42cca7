"""The CSV: one row a student, one column an exercise, as a spreadsheet opens it.

Columns that nbgrader's own export has keep its names, an exercise is its column of the gradebook.
"""

from __future__ import annotations

from datetime import tzinfo

from autograde.pages.class_report.counts import by_hand
from autograde.pages.class_report.register import Register, Row
from autograde.teacher.lateness import local
from autograde.teacher.spreadsheet import write_csv
from bilingual import Language, Text, listed

STATES = {
    "graded": Text(en="graded", zh="已评分"),
    "failed": Text(en="could not be graded", zh="无法评分"),
    "waiting": Text(en="handed in, not graded yet", zh="已提交，尚未评分"),
    "absent": Text(en="nothing handed in", zh="没有提交"),
}

AGAIN = Text(en="handed in again, not graded yet", zh="又交了一份，尚未评分")
AGAIN_LINE = Text(
    en="{chapter}: handed in again and still with the earlier points: {count}. Run "
    "python -m autograde grade {chapter}, then this again: {students}",
    zh="{chapter}：{count}名学生又交了一份，得分仍是之前那份的。"
    "请运行python -m autograde grade {chapter}，再运行本命令：{students}",
)
BLANK = Text(en="blank: as it was released", zh="空白：与发布时一样")
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


def is_blank(row: Row) -> bool:
    """Return whether nothing was tried; answers that wait for a teacher do not tell."""
    findings = [one.finding for one in row.results if not one.by_hand]
    return bool(findings) and all(one and one.kind == "unsolved" for one in findings)


def state_of(row: Row) -> Text:
    """Return what became of a student's work."""
    if row.again:
        return AGAIN
    return BLANK if is_blank(row) else STATES[row.state]


def again_line(register: Register) -> Text:
    """Return who has the points of earlier work, and what to do."""
    students = listed(register.again)
    count, chapter = len(register.again), register.assignment
    return AGAIN_LINE.format(chapter=chapter, count=count, students=students)


def times(row: Row, zone: tzinfo) -> list[object]:
    """Return when the work came, until when it was put off for this student alone, and the zone."""
    due = row.due if row.extended else None
    moments = [local(moment, zone) if moment else "" for moment in (row.handed_in, due)]
    return [*moments, str(zone)]


def _hours(row: Row) -> object:
    """Return how late work came, nothing where the platform says late alone."""
    is_known = row.handed_in or not row.seconds_late
    return round(row.seconds_late / 3600, 2) if is_known else ""


def _personal(row: Row, zone: tzinfo) -> list[object]:
    return [row.last_name, row.first_name, *times(row, zone)]


def _points(row: Row, column: str) -> float | str:
    result = row.result(column)
    return result.score if result else ""


def in_language(text: Text | None, language: Language) -> str:
    """Return a text for a cell of a table, nothing for None."""
    return text.in_language(language, separator=" · ") if text else ""
