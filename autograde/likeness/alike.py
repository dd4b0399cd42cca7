"""What two answers to one exercise share, weighed by how few others write it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from autograde.likeness.forms import Form, Forms

COMMON = 0.25  # what so large a part of the others writes says nothing
SHARE = 0.5  # of the weight of the heavier answer
WEIGHT = 20.0  # a line that nobody of thirty others writes weighs about as much


@dataclass(frozen=True)
class Alike:
    """Two students whose answers to one exercise are alike.

    share: of the weight of what they wrote, 0 to 1. weight: of what both wrote: the size of each
    form times the logarithm of how rare it is. forms: the names of these forms.
    """

    exercise: str
    students: tuple[str, str]
    share: float
    weight: float
    forms: frozenset[str]


def alike(
    exercise: str,
    answers: Mapping[str, Forms],
    handouts: Iterable[Forms] = (),
    elsewhere: Iterable[Forms] = (),
) -> Iterator[Alike]:
    """Yield the pairs of students whose answers to an exercise are alike.

    answers: by student. handouts: what everyone has, so that it weighs nothing. elsewhere: answers
    of people outside of the class, which count as those of classmates.
    """
    free = {form.name for forms in handouts for form in forms}
    own = {student: _sizes(forms, free) for student, forms in answers.items()}
    others = [_sizes(forms, free) for forms in elsewhere]
    population = _Population([*own.values(), *others])
    for first, second in combinations(sorted(own), 2):
        one, other = own[first], own[second]
        if one.keys() & other.keys():
            weights = population.weights(one, other)
            shared = {name for name in one.keys() & other.keys() if weights[name]}
            weight = sum(weights[name] for name in shared)
            heavier = max(sum(weights[name] for name in sizes) for sizes in (one, other))
            if weight >= WEIGHT and weight >= SHARE * heavier:
                yield Alike(exercise, (first, second), weight / heavier, weight, frozenset(shared))


class _Population:
    """How many of those who answered an exercise write each form."""

    def __init__(self, answers: list[dict[str, int]]) -> None:
        self.count = len(answers)
        self.writers = Counter(name for sizes in answers for name in sizes)

    def weights(self, one: dict[str, int], other: dict[str, int]) -> dict[str, float]:
        """Return the weight of each form of two of them, by what all others write."""
        weights = {}
        for name, size in {**one, **other}.items():
            writers = self.writers[name] - (name in one) - (name in other)
            part = (writers + 1) / self.count  # Laplace's rule: of count - 2 others
            weights[name] = size * max(0.0, math.log(COMMON / part))
        return weights


def _sizes(forms: Iterable[Form], free: set[str]) -> dict[str, int]:
    return {form.name: form.size for form in forms if form.name not in free}
