"""Misconceptions that go together: pairs that the same students hold, more often than by chance.

The measure is φ, Pearson's correlation of two yes-or-no answers: 1 if the same students hold both,
0 if holding one is independent of holding the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from autograde.pages.class_report.exercise_counts import ExerciseCount
from autograde.pages.class_report.item_statistics import FEWEST
from autograde.pages.class_report.mistakes import Holders
from autograde.register.register import Column

FEWEST_TOGETHER = 3  # students who hold both: two can be chance, or two who sat side by side
LEAST_PHI = 0.3  # of φ: Cohen's “medium”
MOST_PAIRS = 12  # pairs that are listed


@dataclass(frozen=True)
class Held:
    """A misconception in its exercise."""

    column: Column
    holders: Holders

    @property
    def students(self) -> frozenset[str]:
        """Return the students who hold it."""
        return frozenset(row.student for row in self.holders.rows)


@dataclass(frozen=True)
class Together:
    """Two misconceptions of different exercises, and how many students hold both, or one alone."""

    first: Held
    second: Held
    both: int
    phi: float

    @property
    def first_only(self) -> int:
        """Return how many hold the first one alone."""
        return len(self.first.students) - self.both

    @property
    def second_only(self) -> int:
        """Return how many hold the second one alone."""
        return len(self.second.students) - self.both


def together(counts: list[ExerciseCount], graded: int) -> list[Together] | None:
    """Return the pairs, those that go together most first; None for a class too small to tell."""
    if graded < FEWEST:
        return None
    every = [Held(one.column, holders) for one in counts for holders in one.holders]
    several = (
        _pair(first, second, graded)
        for first, second in combinations(every, 2)
        if first.column.name != second.column.name
    )
    pairs = [one for one in several if one.both >= FEWEST_TOGETHER and one.phi >= LEAST_PHI]
    return sorted(pairs, key=lambda one: (-one.phi, -one.both))[:MOST_PAIRS]


def _pair(first: Held, second: Held, graded: int) -> Together:
    both = len(first.students & second.students)
    return Together(
        first, second, both, phi(both, len(first.students), len(second.students), graded)
    )


def phi(both: int, first: int, second: int, every: int) -> float:
    """Return φ of two groups within a class; 0 if a group is empty or the whole class."""
    spread = first * (every - first) * second * (every - second)
    return (every * both - first * second) / sqrt(spread) if spread else 0.0
