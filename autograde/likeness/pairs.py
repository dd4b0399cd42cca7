"""Students of a class with similar answers: pairs in code, over all exercises of a chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.apps import NbGraderAPI

from autograde.likeness.alike import Alike, alike
from autograde.likeness.answers import (
    Answers,
    answers_elsewhere,
    handouts,
    student_answers,
    written_answers,
)
from autograde.likeness.forms import Forms, forms_in, read_forms
from autograde.likeness.same_words import SameWords, same_words

MOST_PAIRS = 50  # pairs that are shown, the heaviest


@dataclass(frozen=True)
class Line:
    """A line of an answer; shared: it belongs to a statement with weight that both wrote."""

    text: str
    shared: bool


@dataclass(frozen=True)
class AlikeAnswers:
    """Two answers that are alike, and their lines; under pseudonyms without lines."""

    alike: Alike
    lines: tuple[tuple[Line, ...], tuple[Line, ...]] = ((), ())


@dataclass(frozen=True)
class Pair:
    """Two students and the exercises that they answered alike, the heaviest first."""

    students: tuple[str, str]
    answers: tuple[AlikeAnswers, ...]

    @property
    def weight(self) -> float:
        """Return the weight of all that they share."""
        return sum(one.alike.weight for one in self.answers)

    def under(self, name: Callable[[str], str]) -> Pair:
        """Return the pair under pseudonyms, without lines: these can reveal who wrote them."""
        first, second = sorted(map(name, self.students))
        return Pair((first, second), tuple(replace(one, lines=((), ())) for one in self.answers))


@dataclass(frozen=True)
class Comparison:
    """The pairs of a class, the heaviest first, and the answers that could not be compared.

    not_compared: the students by exercise. groups: students with the same prose answer.
    """

    pairs: tuple[Pair, ...] = ()
    not_compared: Mapping[str, list[str]] = field(default_factory=dict)
    groups: tuple[SameWords, ...] = ()

    def under(self, name: Callable[[str], str]) -> Comparison:
        """Return the comparison under pseudonyms."""
        students = {
            exercise: sorted(map(name, several)) for exercise, several in self.not_compared.items()
        }
        groups = tuple(group.under(name) for group in self.groups)
        return Comparison(tuple(pair.under(name) for pair in self.pairs), students, groups)


def compare(
    api: NbGraderAPI, chapter: str, students: Iterable[str], executor: Executor
) -> Comparison:
    """Return which of these students' answers are alike.

    executor: parses the answers, in processes with limits.
    """
    sources = {student: student_answers(api, chapter, student) for student in students}
    of_class = {student: forms_in(executor, answers) for student, answers in sources.items()}
    free = [read_forms(answers) for answers in handouts(api, chapter)]
    alikes: dict[tuple[str, str], list[AlikeAnswers]] = {}
    for name in dict.fromkeys(name for answers in of_class.values() for name in answers):
        answers = {student: one[name] for student, one in of_class.items() if name in one}
        of_all = [one[name] for one in free if name in one]
        elsewhere = read_forms(answers_elsewhere(Path(api.coursedir.root), name)).values()
        for likeness in alike(name, answers, of_all, elsewhere):
            lines = tuple(
                _lines(sources[student][name], answers[student], likeness.forms)
                for student in likeness.students
            )
            alikes.setdefault(likeness.students, []).append(AlikeAnswers(likeness, lines))
    every = [Pair(students, _sorted(answers)) for students, answers in alikes.items()]
    weightiest = sorted(every, key=lambda pair: (-pair.weight, pair.students))[:MOST_PAIRS]
    groups = same_words({student: written_answers(api, chapter, student) for student in sources})
    return Comparison(tuple(weightiest), _not_compared(sources, of_class), tuple(groups))


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
