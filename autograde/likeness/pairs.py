"""The pairs of a class whose answers are alike, over all exercises of a chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from nbgrader.apps import NbGraderAPI

from autograde.likeness.alike import Alike, alike
from autograde.likeness.answers import (
    Answers,
    answers_elsewhere,
    handouts,
    student_answers,
    unspaced,
    written_answers,
)
from autograde.likeness.forms import Forms, forms_in, read_forms

MOST = 50  # pairs that are shown: those that weigh most


@dataclass(frozen=True)
class Line:
    """A line of an answer; shared: it belongs to a statement that weighs and that both wrote."""

    text: str
    shared: bool


@dataclass(frozen=True)
class AlikeAnswers:
    """Two answers that are alike, and their lines; no lines where nobody may see who wrote them."""

    alike: Alike
    lines: tuple[tuple[Line, ...], tuple[Line, ...]] = ((), ())


@dataclass(frozen=True)
class Pair:
    """Two students and the exercises that they answered alike, the weightiest first."""

    students: tuple[str, str]
    answers: tuple[AlikeAnswers, ...]

    @property
    def weight(self) -> float:
        """Return the weight of all that they share."""
        return sum(one.alike.weight for one in self.answers)

    def under(self, name: Callable[[str], str]) -> Pair:
        """Return the pair under pseudonyms; what they wrote can say who they are."""
        first, second = sorted(map(name, self.students))
        return Pair((first, second), tuple(replace(one, lines=((), ())) for one in self.answers))


@dataclass(frozen=True)
class Comparison:
    """The pairs of a class, the weightiest first, and the answers that could not be compared.

    not_compared: the students by exercise.
    """

    pairs: tuple[Pair, ...] = ()
    not_compared: Mapping[str, list[str]] = field(default_factory=dict)

    def under(self, name: Callable[[str], str]) -> Comparison:
        """Return the comparison under pseudonyms."""
        students = {
            exercise: sorted(map(name, several)) for exercise, several in self.not_compared.items()
        }
        return Comparison(tuple(pair.under(name) for pair in self.pairs), students)


def compare(
    api: NbGraderAPI, chapter: str, students: Iterable[str], executor: Executor
) -> Comparison:
    """Return which of these students' answers are alike.

    executor: where what they wrote is parsed, in processes with limits.
    """
    sources = {student: student_answers(api, chapter, student) for student in students}
    of_class = {student: forms_in(executor, answers) for student, answers in sources.items()}
    free = [read_forms(answers) for answers in handouts(api, chapter)]
    alikes: dict[tuple[str, str], list[AlikeAnswers]] = {}
    for one in _same_words({who: written_answers(api, chapter, who) for who in sources}):
        alikes.setdefault(one.alike.students, []).append(one)
    for name in dict.fromkeys(name for answers in of_class.values() for name in answers):
        answers = {student: one[name] for student, one in of_class.items() if name in one}
        of_all = [one[name] for one in free if name in one]
        elsewhere = read_forms(answers_elsewhere(Path(api.coursedir.root), name)).values()
        for one in alike(name, answers, of_all, elsewhere):
            lines = tuple(
                _lines(sources[student][name], answers[student], one.forms)
                for student in one.students
            )
            alikes.setdefault(one.students, []).append(AlikeAnswers(one, lines))
    every = [Pair(students, _sorted(answers)) for students, answers in alikes.items()]
    weightiest = sorted(every, key=lambda pair: (-pair.weight, pair.students))[:MOST]
    return Comparison(tuple(weightiest), _not_compared(sources, of_class))


def _same_words(prose: Mapping[str, Answers]) -> Iterator[AlikeAnswers]:
    """Yield the pairs of equal answers in prose; each weighs as many letters as it has."""
    writers: dict[tuple[str, str], list[str]] = {}
    for student in sorted(prose):
        for name, source in prose[student].items():
            writers.setdefault((name, unspaced(source)), []).append(student)
    for (name, letters), students in writers.items():
        for one, other in combinations(students, 2):
            same = Alike(name, (one, other), 1.0, float(len(letters)), frozenset())
            sources = (prose[one][name], prose[other][name])
            first, second = (
                tuple(Line(line, shared=True) for line in source.split("\n")) for source in sources
            )
            yield AlikeAnswers(same, (first, second))


def _not_compared(
    sources: Mapping[str, Answers], of_class: Mapping[str, Mapping[str, Forms]]
) -> dict[str, list[str]]:
    students: dict[str, list[str]] = {}
    for student, answers in sources.items():
        for name in answers:
            if name not in of_class[student]:
                students.setdefault(name, []).append(student)
    return students


def _sorted(answers: list[AlikeAnswers]) -> tuple[AlikeAnswers, ...]:
    return tuple(sorted(answers, key=lambda one: -one.alike.weight))


def _lines(source: str, forms: Forms, shared: frozenset[str]) -> tuple[Line, ...]:
    numbers = {
        number
        for form in forms
        if form.name in shared
        for number in range(form.first, form.last + 1)
    }
    return tuple(
        Line(text, number in numbers) for number, text in enumerate(source.split("\n"), start=1)
    )
