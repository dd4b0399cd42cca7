"""What was judged of an answer: the verdict, which report, progress and nbgrader read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograde.kit.exercise import Check, Exercise, Misconception
from bilingual import Text

if TYPE_CHECKING:
    from autograde.kit.answer import Call


@dataclass(frozen=True)
class Outcome:
    """What one check said; `reason` is None when it passed."""

    check: Check
    reason: Text | None
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Verdict:
    """What all checks said, the points, and the misconception that explains the failure.

    `borrowed` are the names of the reference that the answer uses.
    """

    exercise: Exercise
    outcomes: tuple[Outcome, ...]
    unsolved: bool
    misconception: Misconception | None
    printed: str
    borrowed: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """Return the points earned, a builtin float: nbgrader takes other types for full marks."""
        if self.unsolved:
            return 0.0
        total = sum(outcome.check.weight for outcome in self.outcomes)
        passed = sum(outcome.check.weight for outcome in self.outcomes if outcome.reason is None)
        return float(round(self.exercise.points * passed / total, 2))

    @property
    def full(self) -> bool:
        """Return whether every check passed."""
        return not self.unsolved and all(outcome.reason is None for outcome in self.outcomes)
