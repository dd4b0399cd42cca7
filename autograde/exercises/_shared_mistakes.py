"""Mistakes in one part of an answer, such as a ramp, that several exercises have in common."""

from __future__ import annotations

from collections.abc import Callable

from autograde.kit.exercise import Exercise, Function
from bilingual import Text


class SharedMistakes:
    """Wrong versions of a part, each with the sentences that name it in every exercise."""

    def __init__(self) -> None:
        """Begin without any."""
        self.versions: list[tuple[Function, Text]] = []

    def version(self, en: str, zh: str) -> Callable[[Function], Function]:
        """Add the decorated wrong version of the part."""

        def add(part: Function) -> Function:
            self.versions.append((part, Text(en=en, zh=zh)))
            return part

        return add

    def name_in(self, exercise: Exercise, answer_with: Callable[[Function], Function]) -> None:
        """Add a misconception for each; `answer_with(part)` is an answer that has this part."""
        for part, sentence in self.versions:
            answer = answer_with(part)
            answer.__name__ = part.__name__
            exercise.misconception(en=sentence.en, zh=sentence.zh)(answer)
