"""The class in numbers: its points, and the students that a teacher should look at."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, median

from autograde.grading.diagnosis import Diagnosis
from autograde.pages.class_report.exercise_counts import mark_of
from autograde.pages.marks import Mark
from autograde.register.register import Column, Register, Row

WITHOUT_POINTS: tuple[Mark, ...] = ("blank", "zero", "error", "slow")


@dataclass(frozen=True)
class Points:
    """The points of all submissions, as the gradebook has them."""

    scores: tuple[float, ...]
    mean: float
    median: float
    full: int


@dataclass(frozen=True)
class Stuck:
    """The exercises without a point of one student, by their mark."""

    row: Row
    columns: dict[Mark, list[Column]]

    @property
    def count(self) -> int:
        """Return the number of these exercises."""
        return sum(map(len, self.columns.values()))


@dataclass(frozen=True)
class NotRun:
    """An exercise of one student that ended in an error."""

    row: Row
    column: Column
    diagnosis: Diagnosis


def points(register: Register) -> Points:
    """Return the points before late penalties, as nbgrader averages them."""
    scores = tuple(row.score for row in register.submitted)
    full = sum(score >= register.max_score for score in scores)
    return Points(scores, fmean(scores), median(scores), full)


def stuck(register: Register) -> list[Stuck]:
    """Return the students with exercises without a point, those with the most first."""
    students = [_stuck(row, register) for row in register.in_state("graded")]
    return sorted((one for one in students if one.count), key=lambda one: -one.count)


def _stuck(row: Row, register: Register) -> Stuck:
    columns: dict[Mark, list[Column]] = {mark: [] for mark in WITHOUT_POINTS}
    for column in register.columns:
        result = row.result(column.name)
        mark = mark_of(result) if result else None
        if mark in columns:
            columns[mark].append(column)
    return Stuck(row, columns)


def late(register: Register) -> list[Row]:
    """Return the students who were late, the latest first; under pseudonyms, by days alone."""
    rows = [row for row in register.submitted if row.seconds_late or row.days_late]
    return sorted(rows, key=lambda row: (-row.seconds_late, -row.days_late))


def not_run(register: Register) -> list[NotRun]:
    """Return the exercises that ended in an error, or whose cell is missing, by student."""
    return [
        NotRun(row, column, result.finding)
        for row in register.in_state("graded")
        for column in register.columns
        if (result := row.result(column.name)) and result.finding
        if result.finding.kind in ("error", "slow", "missing")
    ]


def by_hand(register: Register) -> list[tuple[Column, list[Row]]]:
    """Return the columns that are left to grade by hand, and the students in each."""
    ungraded = [(column, _ungraded(register, column)) for column in register.columns]
    return [(column, rows) for column, rows in ungraded if rows]


def _ungraded(register: Register, column: Column) -> list[Row]:
    results = [(row, row.result(column.name)) for row in register.submitted]
    return [row for row, result in results if result and result.needs_teacher]
