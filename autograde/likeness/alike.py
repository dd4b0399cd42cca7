"""What two answers to one exercise share, weighed by how few others write it."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from autograde.likeness.forms import Form, Forms

COMMON = 0.25  # a form that so large a part of the others writes weighs nothing
SHARE = 0.5  # least part of the heavier answer's weight
WEIGHT = 20.0  # least shared weight, about that of one line that nobody of thirty others writes


@dataclass(frozen=True)
class Alike:
    """Two students whose answers to one exercise are alike.

    share: the shared part of the heavier answer's weight, 0 to 1. weight: of the forms that both
    wrote: each one's size times the logarithm of its rarity. forms: the names of these forms.
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

    answers: by student. handouts: code that everyone has, so that it weighs nothing. elsewhere:
    answers from outside the class, which count like those of classmates.
    """
    free = {form.name for forms in handouts for form in forms}
    own = {student: _sizes(forms, free) for student, forms in answers.items()}
    others = [_sizes(forms, free) for forms in elsewhere]
    population = _Population([*own.values(), *others])
    for students, weight in sorted(_heavy_pairs(own, population)):
        first, second = (own[student] for student in students)
        shared = {
            name: both
            for name in first.keys() & second.keys()
            if (both := population.weight(name, first[name], 2))
        }
        heavier = max(population.weight_of_all(sizes, shared) for sizes in (first, second))
        if weight >= SHARE * heavier:
            yield Alike(exercise, students, weight / heavier, weight, frozenset(shared))


def _heavy_pairs(
    own: dict[str, dict[str, int]], population: _Population
) -> list[tuple[tuple[str, str], float]]:
    """Return the pairs that share enough, each with its weight.

    Form by form, not pair by pair: most pairs of a large class share only what is common.
    """
    writers = defaultdict(list)
    for student in sorted(own):
        for name in own[student]:
            writers[name].append(student)
    weights = defaultdict(float)
    for name, students in writers.items():
        if len(students) > 1:
            both = population.weight(name, own[students[0]][name], 2)
            for pair in combinations(students, 2) if both else ():
                weights[pair] += both
    return [(pair, weight) for pair, weight in weights.items() if weight >= WEIGHT]


class _Population:
    """How many of the answers to an exercise contain each form."""

    def __init__(self, answers: list[dict[str, int]]) -> None:
        self.count = len(answers)
        self.writers = Counter(name for sizes in answers for name in sizes)

    def weight(self, name: str, size: int, of_pair: int) -> float:
        """Return the weight of a form that `of_pair` of a pair write, by how many others do."""
        part = (self.writers[name] - of_pair + 1) / self.count  # Laplace's rule, for count - 2
        return size * max(0.0, math.log(COMMON / part))

    def weight_of_all(self, sizes: dict[str, int], shared: dict[str, float]) -> float:
        """Return the weight of one answer of a pair. shared: the weights of the shared forms."""
        alone = (self.weight(name, sizes[name], 1) for name in sizes.keys() - shared.keys())
        return sum(alone) + sum(shared.values())


def _sizes(forms: Iterable[Form], free: set[str]) -> dict[str, int]:
    return {form.name: form.size for form in forms if form.name not in free}
