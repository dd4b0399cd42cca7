"""One exercise in numbers: marks, checks passed, and how many made which mistake."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from autograde.kit.exercise import Check
from autograde.pages.class_report.mistakes import (
    CHECKS_RAN,
    Holders,
    Related,
    Unnamed,
    holders,
    related,
    unnamed,
)
from autograde.pages.marks import MARKS, Mark, mark
from autograde.register.register import Column, Register
from autograde.register.results import Result


@dataclass(frozen=True)
class ExerciseCount:
    """The class's results in one exercise.

    mean: of the grades so far, None before the first. unnamed: mistakes without an explanation, the
    most frequent first.
    """

    column: Column
    marks: dict[Mark, int]
    mean: float | None
    checks: tuple[tuple[Check, int], ...]
    holders: tuple[Holders, ...]
    related: tuple[Related, ...]
    unnamed: tuple[Unnamed, ...]

    @property
    def graded(self) -> int:
        """Return how many students have a grade for it, or wait for one by hand."""
        return sum(self.marks.values())

    @property
    def others(self) -> int:
        """Return how many made a mistake that is not a misconception of the exercise."""
        rows = {id(row) for one in (*self.related, *self.unnamed) for row in one.rows}
        return len(rows - {id(row) for one in self.holders for row in one.rows})


def count_exercises(register: Register) -> list[ExerciseCount]:
    """Return the numbers of each exercise, in the order of the notebook."""
    return [_count(register, column) for column in register.columns]


def _count(register: Register, column: Column) -> ExerciseCount:
    every = [(row, row.result(column.name)) for row in register.in_state("graded")]
    results = [(row, result) for row, result in every if result]
    marks = dict.fromkeys(MARKS, 0)
    for _, result in results:
        marks[mark_of(result)] += 1
    scores = [result.score for _, result in results if not result.has_no_points_yet]
    checks = column.exercise.checks if column.exercise else ()
    return ExerciseCount(
        column,
        marks,
        fmean(scores) if scores else None,
        tuple((one, sum(passed(one, result) for _, result in results)) for one in checks),
        holders(column, results),
        related(column, results),
        unnamed(column, results),
    )


def mark_of(result: Result) -> Mark:
    """Return the mark of a result."""
    return mark(result.score, result.points, result.finding, waiting=result.has_no_points_yet)


def passed(check: Check, result: Result) -> bool:
    """Return whether a check passed; nothing passes in an answer that is blank or never ran."""
    if result.finding is None:
        return True
    if result.finding.kind == "error":  # the cell failed after the function, which then was checked
        return result.score >= result.points
    return result.finding.kind in CHECKS_RAN and (check.name not in result.finding.failed)
