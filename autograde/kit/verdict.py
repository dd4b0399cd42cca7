"""The verdict on an answer, read by report, progress and nbgrader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from autograde.kit.exercise import Check, Exercise
from bilingual import Text

if TYPE_CHECKING:
    from autograde.kit.answer import Call


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check; `reason` is None if it passed.

    `passes_unchanged`: the code to be mended passes it as well.
    """

    check: Check
    reason: Text | None
    calls: tuple[Call, ...]
    passes_unchanged: bool = False


CauseKind = Literal["misconception", "relation", "error"]


@dataclass(frozen=True)
class Cause:
    """What explains a failure: a misconception of the exercise, a relation, or Python's error.

    `name`: of the misconception, of the relation, or of the exception.
    """

    kind: CauseKind
    name: str
    sentence: Text


@dataclass(frozen=True)
class Verdict:
    """The outcomes of all checks, the points, and the cause of the failure, None if unknown.

    `borrowed`: the names of the reference that the answer uses.
    """

    exercise: Exercise
    outcomes: tuple[Outcome, ...]
    unsolved: bool
    cause: Cause | None
    printed: str
    borrowed: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """Return the points earned in quarters of a point; all of them only if nothing failed.

        Checks that the code to be mended passes earn no points: unchanged, or made worse, it gets
        0. A finer share, such as 0.17 of 1 point, would tell no one more. The result is a builtin
        float: nbgrader takes other types for full marks.
        """
        points = float(self.exercise.points)
        if self.full:
            return points
        total = sum(one.check.weight for one in self.outcomes)
        before = sum(one.check.weight for one in self.outcomes if one.passes_unchanged)
        gained = sum(one.check.weight for one in self.outcomes if one.reason is None) - before
        if gained <= 0:
            return 0.0
        return max(min(round(4 * points * gained / (total - before)) / 4, points - 0.25), 0.0)

    @property
    def full(self) -> bool:
        """Return whether every check passed."""
        return not self.unsolved and all(outcome.reason is None for outcome in self.outcomes)
