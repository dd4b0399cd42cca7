"""The mistakes in one exercise by what explains them, and the students who made each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograde.grading.diagnosis import Diagnosis, Kind
from autograde.kit.exercise import Check, Misconception
from autograde.pages.marks import letter_of
from autograde.register.register import Column, Row
from autograde.register.results import Result
from bilingual import Text

CHECKS_RAN = ("misconception", "relation", "raised", "slow", "checks")  # and some failed
STOPPED = ("raised", "slow", "error")


@dataclass(frozen=True)
class Holders:
    """A misconception and the students who hold it; letter: a for the exercise's most frequent."""

    letter: str
    misconception: Misconception
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Related:
    """A relation, an error or a timeout, and the students whose answers it explains.

    sentence: the first student's; its numbers may differ for the others. None if the report leaves
    out what comes from submissions.
    """

    kind: Kind
    name: str
    sentence: Text | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Unnamed:
    """The checks that the answers of some students failed, without a known cause.

    reason: the first student's, None if the report leaves out what comes from submissions.
    """

    checks: tuple[Check, ...]
    reason: Text | None
    rows: tuple[Row, ...]


def _misconceptions(column: Column) -> dict[str, Misconception]:
    return {one.name: one for one in column.exercise.misconceptions} if column.exercise else {}


def holders(column: Column, results: list[tuple[Row, Result]]) -> tuple[Holders, ...]:
    """Return the misconceptions with the students who hold them, the most frequent first."""
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
    return tuple(
        Holders(letter_of(index), misconceptions[name], tuple(rows[name]))
        for index, name in enumerate(frequent)
    )


def _mistakes(wrong: Diagnosis, misconceptions: Iterable[str]) -> tuple[str, ...]:
    """Return the name of a mistake, or both names if two together explain the answer."""
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


def related(column: Column, results: list[tuple[Row, Result]]) -> tuple[Related, ...]:
    """Return the relations, errors and timeouts that explain answers, the most frequent first."""
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


def unnamed(column: Column, results: list[tuple[Row, Result]]) -> tuple[Unnamed, ...]:
    """Return the sets of failed checks without a known cause, the most frequent first."""
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
