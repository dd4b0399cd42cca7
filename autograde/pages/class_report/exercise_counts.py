"""One exercise in numbers: marks, checks passed, misconceptions held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from string import ascii_lowercase

from autograde.grading.diagnosis import Diagnosis, Kind
from autograde.kit.exercise import Check, Misconception
from autograde.pages.class_report.register import Column, Register, Row
from autograde.pages.marks import MARKS, Mark, mark
from autograde.teacher.results import Result
from bilingual import Text

CHECKS_RAN = ("misconception", "relation", "raised", "slow", "checks")  # and some failed
STOPPED = ("raised", "slow", "error")


@dataclass(frozen=True)
class Holders:
    """A misconception and the students who hold it; its letter is its place among the frequent."""

    letter: str
    misconception: Misconception
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Related:
    """A relation, an error or the end of the time, and the students whose answers it explains.

    The sentence is that of the first of them: the numbers in it may be others for the next. None
    where the report leaves out what submissions say.
    """

    kind: Kind
    name: str
    sentence: Text | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Unnamed:
    """The checks that the answers of some students failed; nothing explains why.

    reason: that of the first of them, None where the report leaves out what submissions say.
    """

    checks: tuple[Check, ...]
    reason: Text | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class ExerciseCount:
    """What the class made of one exercise.

    `mean` is that of the grades there are, None before the first. `unnamed` are those whose mistake
    nothing explains, the most frequent first.
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
    scores = [result.score for _, result in results if not result.waiting]
    checks = column.exercise.checks if column.exercise else ()
    return ExerciseCount(
        column,
        marks,
        fmean(scores) if scores else None,
        tuple((one, sum(passed(one, result) for _, result in results)) for one in checks),
        _holders(column, results),
        _related(column, results),
        _unnamed(column, results),
    )


def mark_of(result: Result) -> Mark:
    """Return the mark of a result."""
    return mark(result.score, result.points, result.finding, waiting=result.waiting)


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
        if result.finding and result.finding.kind in ("misconception", "relation"):
            for name in _mistakes(result.finding, misconceptions):
                if name in misconceptions:
                    rows[name].append(row)
    frequent = sorted(
        (name for name in misconceptions if rows[name]), key=lambda name: -len(rows[name])
    )
    letters = zip(frequent, ascii_lowercase, strict=False)  # an exercise names ten or so
    return tuple(
        Holders(letter, misconceptions[name], tuple(rows[name])) for name, letter in letters
    )


def _mistakes(wrong: Diagnosis, misconceptions: Iterable[str]) -> tuple[str, ...]:
    """Return the name of a mistake, or those of both where two together explain the answer."""
    name = wrong.name
    if wrong.kind != "relation" or "_and_" not in name:
        return (name,)
    firsts = [one for one in misconceptions if name.startswith(f"{one}_and_")]
    first = max(firsts, key=len, default=name.partition("_and_")[0])
    return first, name.removeprefix(f"{first}_and_")


def _is_related(result: Result) -> bool:
    # a submission that was never graded can make names up
    wrong = result.finding
    return bool(wrong) and wrong.kind in ("relation", *STOPPED) and wrong.name.isidentifier()


def _related(column: Column, results: list[tuple[Row, Result]]) -> tuple[Related, ...]:
    misconceptions = _misconceptions(column)
    pairs: dict[tuple[Kind, str], list[tuple[Row, Result]]] = defaultdict(list)
    for row, result in results:
        if _is_related(result):
            kind = "raised" if result.finding.kind == "error" else result.finding.kind
            for name in _mistakes(result.finding, misconceptions):
                if name not in misconceptions:
                    pairs[kind, name].append((row, result))
    frequent = sorted(pairs.items(), key=lambda one: -len(one[1]))
    return tuple(
        Related(kind, name, _sentence(name, same), tuple(row for row, _ in same))
        for (kind, name), same in frequent
    )


def _sentence(name: str, same: list[tuple[Row, Result]]) -> Text | None:
    """Return the sentence of the first who made no second mistake, if there is one."""
    alone = (result for _, result in same if result.finding.name == name)
    return next(alone, same[0][1]).sentence


def _unnamed(column: Column, results: list[tuple[Row, Result]]) -> tuple[Unnamed, ...]:
    checks = column.exercise.checks if column.exercise else ()
    misconceptions = _misconceptions(column)
    pairs: dict[tuple[Check, ...], list[tuple[Row, Result]]] = defaultdict(list)
    for row, result in results:
        wrong = result.finding
        if wrong is None or wrong.kind not in CHECKS_RAN:
            continue
        if wrong.name in misconceptions or _is_related(result):
            continue
        pairs[tuple(one for one in checks if one.name in wrong.failed)].append((row, result))
    frequent = sorted(pairs.items(), key=lambda one: -len(one[1]))
    return tuple(
        Unnamed(failed, same[0][1].sentence, tuple(row for row, _ in same))
        for failed, same in frequent
    )
