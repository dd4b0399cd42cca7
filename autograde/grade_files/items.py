"""The grades to import: a chapter or its exercises, each student's points, or why there are none.

The items of a chapter add up to the points that nbgrader exports, so a chapter split into exercises
has the late penalty as an item of its own, with negative points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograde.register.register import Register, Row
from autograde.register.states import AGAIN, BLANK, STATES, again_line, is_blank
from autograde.teacher.late_words import WITHIN_GRACE, late_by
from bilingual import Text

DIGITS = 5  # as in Moodle; floating-point noise lies beyond

PENALTY = Text(en="late penalty", zh="迟交扣分")
LATE = Text(en="late by {late}", zh="迟交{late}")
TAKEN_OFF = Text(
    en="late by {late}, penalty {penalty:g}, already taken off",
    zh="迟交{late}，扣{penalty:g}分，已从分数中扣除",
)
APART = Text(en="late by {late}, penalty {penalty:g}", zh="迟交{late}，扣{penalty:g}分")
WAITING = Text(
    en="{points:g} points wait for the teacher and are not counted",
    zh="另有{points:g}分等老师评分，尚未计入",
)


@dataclass(frozen=True)
class Item:
    """One column of points: a chapter, one of its exercises, or its late penalties.

    points: by student; None where there are none yet.
    """

    name: str
    title: Text
    most: float
    points: dict[str, float | None]


@dataclass(frozen=True)
class ChapterItems:
    """The items of a chapter, and remarks on each student's work in it.

    waiting: students with answers that a teacher has yet to grade. again: the line on students who
    handed in again since they were graded, None if nobody did.
    """

    chapter: str
    items: list[Item]
    remarks: dict[str, list[Text]]
    waiting: list[str]
    again: Text | None = None

    def has_none(self, student: str) -> bool:
        """Return whether a student has no points in any of the items."""
        return all(item.points.get(student) is None for item in self.items)


def chapter_items(register: Register, *, exercises: bool) -> ChapterItems:
    """Return the items of a chapter: the whole chapter, or each of its exercises."""
    items = list(_exercises(register)) if exercises else [_whole(register)]
    remarks = {row.student: _remarks(row, exercises) for row in register.rows}
    waiting = [
        row.student
        for row in register.rows
        if any(result.has_no_points_yet for result in row.results)
    ]
    again = again_line(register) if register.again else None
    return ChapterItems(register.assignment, items, remarks, waiting, again)


def _whole(register: Register) -> Item:
    name = register.assignment
    points = {row.student: _rounded(row.total) if _counts(row) else None for row in register.rows}
    return Item(name, Text(en=name, zh=name), register.max_score, points)


def _exercises(register: Register) -> Iterator[Item]:
    for column in register.columns:
        points = {row.student: _points(row, column.name) for row in register.rows}
        yield Item(f"{register.assignment} {column.name}", column.title, column.points, points)
    if any(row.penalty for row in register.rows):
        penalties = {row.student: _minus(row) if _counts(row) else None for row in register.rows}
        name = f"{register.assignment} late_submission_penalty"
        yield Item(name, PENALTY, 0.0, penalties)


def _minus(row: Row) -> float:
    return _rounded(row.total - row.score)


def _points(row: Row, column: str) -> float | None:
    result = row.result(column)
    return None if result is None or result.has_no_points_yet else _rounded(result.score)


def _rounded(number: float) -> float:
    return round(number, DIGITS) + 0.0  # no "-0.0"


def _counts(row: Row) -> bool:
    return row.state == "graded"


def _remarks(row: Row, exercises: bool) -> list[Text]:
    remarks = [] if row.state == "graded" else [row.problem or STATES[row.state]]
    if row.again:
        remarks.append(AGAIN)
    if row.state == "graded" and is_blank(row):
        remarks.append(BLANK)
    if row.seconds_late and row.state == "graded":
        sentence = LATE if row.days_late else WITHIN_GRACE
        if row.penalty:
            sentence = APART if exercises else TAKEN_OFF
        late = late_by(row.seconds_late)
        remarks.append(sentence.format(late=late, penalty=round(row.penalty, DIGITS)))
    if row.waiting_points:
        remarks.append(WAITING.format(points=row.waiting_points))
    return remarks
