"""What `review()` can ask: questions of quizzes begun, mistakes and results of exercises done."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from autograde.kit.catalogue import (
    exercise,
    exercise_ids,
    listed_exercise,
    questions,
    quiz_names,
)
from autograde.kit.question import Question
from autograde.notebook.records import best_score, right_prompts
from autograde.notebook.review_mistake import which_mistake
from autograde.notebook.store import names


@dataclass(frozen=True)
class Reviewed:
    """Something that comes back: the name of its card, and its question for a seed.

    The question is None if an exercise has nothing of that kind to ask.
    """

    name: str
    question: Callable[[int], Question | None]


def met() -> list[Reviewed]:
    """Return what the reader has met: quizzes with a right answer, exercises with points."""
    return [*_of_quizzes(), *_of_exercises()]


def _of_quizzes() -> Iterator[Reviewed]:
    for quiz in quiz_names():
        if right_prompts(quiz):
            for number, question in enumerate(questions(quiz)):
                digest = hashlib.sha256(question.prompt.en.encode()).hexdigest()[:12]
                yield Reviewed(f"quiz-{quiz}-{digest}", partial(_of_quiz, quiz, number))


def _of_quiz(quiz: str, number: int, seed: int) -> Question:
    return questions(quiz)[number]


def _of_exercises() -> Iterator[Reviewed]:
    for name in sorted({*names("exercises")} & {*exercise_ids()}):
        if best_score(listed_exercise(name)) > 0:
            yield Reviewed(f"mistake-{name}", partial(_mistake, name))
            yield Reviewed(f"result-{name}", partial(_result, name))


def _mistake(name: str, seed: int) -> Question | None:
    return which_mistake(exercise(name), seed)


def _result(name: str, seed: int) -> Question | None:
    from autograde.notebook.review_result import which_result  # loads torch: `met` does without

    return which_result(exercise(name), seed)
