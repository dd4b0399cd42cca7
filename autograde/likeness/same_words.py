"""Groups of students with the same prose answer, except for whitespace, unless it is short."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from autograde.likeness.answers import Answers, unspaced

SHORTEST = 20  # bytes in UTF-8: 20 Latin letters, or 7 hanzi


@dataclass(frozen=True)
class SameWords:
    """All students who answered a question in the same words, at least two, and their answer.

    text: as the first of them wrote it; empty under pseudonyms.
    """

    exercise: str
    students: tuple[str, ...]
    text: str

    def under(self, name: Callable[[str], str]) -> SameWords:
        """Return the group under pseudonyms, without its text: that can reveal who wrote it."""
        return SameWords(self.exercise, tuple(sorted(map(name, self.students))), "")


def same_words(prose: Mapping[str, Answers]) -> Iterator[SameWords]:
    """Yield the groups of students with the same answer to a question, longest answer first."""
    writers: dict[tuple[str, str], list[str]] = {}
    for student in sorted(prose):
        for name, source in prose[student].items():
            if len((letters := unspaced(source)).encode()) >= SHORTEST:
                writers.setdefault((name, letters), []).append(student)
    for (name, _), students in sorted(writers.items(), key=lambda item: -len(item[0][1])):
        if len(students) > 1:
            yield SameWords(name, tuple(students), prose[students[0]][name])
