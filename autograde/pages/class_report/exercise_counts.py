"""One exercise in numbers: marks, checks passed, misconceptions held."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from string import ascii_lowercase
from typing import Literal

from autograde.kit.exercise import Check, Misconception
from autograde.pages.class_report.register import Column, Register, Row
from autograde.teacher.results import Result
from bilingual import Text

Mark = Literal["full", "part", "zero", "blank", "by_hand"]
CHECKS_RAN = ("misconception", "relation", "raised", "checks")  # the checks ran, and some failed
MARKS: tuple[Mark, ...] = ("full", "part", "zero", "blank", "by_hand")


@dataclass(frozen=True)
class Holders:
    """A misconception and the students who hold it; its letter is its place among the frequent."""

    letter: str
    misconception: Misconception
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Related:
    """A relation or an error of Python's, and the students whose answers it explains.

    The sentence is that of the first of them: the numbers in it may be others for the next. None
    where the report leaves out what submissions say.
    """

    name: str
    sentence: Text | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class ExerciseCount:
    """What the class made of one exercise.

    `mean` is that of the grades there are, None before the first. `unnamed` are those whose mistake
    nothing explains, by the checks that failed, the most frequent first.
    """

    column: Column
    marks: dict[Mark, int]
    mean: float | None
    checks: tuple[tuple[Check, int], ...]
    holders: tuple[Holders, ...]
    related: tuple[Related, ...]
    unnamed: tuple[tuple[tuple[str, ...], tuple[Row, ...]], ...]

    @property
    def graded(self) -> int:
        """Return how many students have a grade for it, or wait for one by hand."""
        return sum(self.marks.values())

    @property
    def others(self) -> int:
        """Return how many made a mistake that is not a misconception of the exercise."""
        related = sum(len(one.rows) for one in self.related)
        return related + sum(len(rows) for _, rows in self.unnamed)


def count_exercises(register: Register) -> list[ExerciseCount]:
    """Return the numbers of each exercise, in the order of the notebook."""
    return [_count(register, column) for column in register.columns]


def _count(register: Register, column: Column) -> ExerciseCount:
    every = [(row, row.result(column.name)) for row in register.in_state("graded")]
    results = [(row, result) for row, result in every if result]
    marks = dict.fromkeys(MARKS, 0)
    for _, result in results:
        marks[mark(result)] += 1
    scores = [result.score for _, result in results if not result.by_hand]
    checks = column.exercise.checks if column.exercise else ()
    return ExerciseCount(
        column,
        marks,
        fmean(scores) if scores else None,
        tuple((one, sum(passed(one, result) for _, result in results)) for one in checks),
        _holders(column, results),
        _related(results),
        _unnamed(column, results),
    )


def mark(result: Result) -> Mark:
    """Return which of the five marks a result is: points decide, then whether anything was done."""
    if result.by_hand:
        return "by_hand"
    if result.score >= result.points:
        return "full"
    if result.score > 0:
        return "part"
    return "blank" if result.finding and result.finding.kind == "unsolved" else "zero"


def passed(check: Check, result: Result) -> bool:
    """Return whether a check passed; nothing passes in an answer that is blank or never ran."""
    if result.finding is None:
        return True
    if result.finding.kind == "error":  # the cell failed after the function, which then was checked
        return result.score >= result.points
    return result.finding.kind in CHECKS_RAN and (check.name not in result.finding.failed)


def _misconceptions(column: Column) -> dict[str, Misconception]:
    return {one.name: one for one in column.exercise.misconceptions} if column.exercise else {}


def _holders(column: Column, results: list[tuple[Row, Result]]) -> tuple[Holders, ...]:
    misconceptions = _misconceptions(column)
    rows: dict[str, list[Row]] = {name: [] for name in misconceptions}
    for row, result in results:
        if (
            result.finding
            and result.finding.kind == "misconception"
            and result.finding.name in misconceptions
        ):
            rows[result.finding.name].append(row)
    frequent = sorted(
        (name for name in misconceptions if rows[name]), key=lambda name: -len(rows[name])
    )
    letters = zip(frequent, ascii_lowercase, strict=False)  # an exercise names ten or so
    return tuple(
        Holders(letter, misconceptions[name], tuple(rows[name])) for name, letter in letters
    )


def _is_related(result: Result) -> bool:
    # a submission that was never graded can make names up
    wrong = result.finding
    return bool(wrong) and wrong.kind in ("relation", "raised") and wrong.name.isidentifier()


def _related(results: list[tuple[Row, Result]]) -> tuple[Related, ...]:
    rows: dict[str, list[tuple[Row, Result]]] = defaultdict(list)
    for row, result in results:
        if _is_related(result):
            rows[result.finding.name].append((row, result))
    frequent = sorted(rows.items(), key=lambda one: -len(one[1]))
    return tuple(
        Related(name, pairs[0][1].sentence, tuple(row for row, _ in pairs))
        for name, pairs in frequent
    )


def _unnamed(
    column: Column, results: list[tuple[Row, Result]]
) -> tuple[tuple[tuple[str, ...], tuple[Row, ...]], ...]:
    misconceptions, checks = (
        _misconceptions(column),
        column.exercise.checks if column.exercise else (),
    )
    rows: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row, result in results:
        wrong = result.finding
        if wrong is None or wrong.kind not in CHECKS_RAN:
            continue
        if wrong.name in misconceptions or _is_related(result):
            continue
        rows[tuple(one.name for one in checks if one.name in wrong.failed)].append(row)
    frequent = sorted(rows.items(), key=lambda one: -len(one[1]))
    return tuple((failed, tuple(who)) for failed, who in frequent)
