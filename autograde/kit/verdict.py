"""The verdict on an answer, which report, progress and nbgrader read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from autograde.kit.exercise import Check, Exercise
from bilingual import Text

if TYPE_CHECKING:
    from autograde.kit.answer import Call


@dataclass(frozen=True)
class Outcome:
    """What one check said; `reason` is None when it passed."""

    check: Check
    reason: Text | None
    calls: tuple[Call, ...]


CauseKind = Literal["misconception", "relation", "error"]


@dataclass(frozen=True)
class Cause:
    """What explains a failure: a misconception of the exercise, a relation, or Python's error.

    `name` is that of the misconception, of the relation, or of the exception.
    """

    kind: CauseKind
    name: str
    sentence: Text


@dataclass(frozen=True)
class Verdict:
    """What all checks said, the points, and the cause of the failure, None if it is not known.

    `borrowed` are the names of the reference that the answer uses.
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

        A share such as 0.17 of 1 point would tell no one more. It is a builtin float: nbgrader
        takes other types for full marks.
        """
        if self.unsolved or self.unchanged:
            return 0.0
        total = sum(outcome.check.weight for outcome in self.outcomes)
        passed = sum(outcome.check.weight for outcome in self.outcomes if outcome.reason is None)
        points = float(self.exercise.points)
        if passed == total:
            return points
        return max(min(round(4 * points * passed / total) / 4, points - 0.25), 0.0)

    @property
    def unchanged(self) -> bool:
        """Return whether the answer still does what the code does that was to be mended."""
        cause = self.cause
        return bool(cause) and (cause.kind, cause.name) == ("misconception", self.exercise.broken)

    @property
    def full(self) -> bool:
        """Return whether every check passed."""
        return not self.unsolved and all(outcome.reason is None for outcome in self.outcomes)
