"""Names the misconception behind a wrong answer: the one that gives the same wrong results."""

from __future__ import annotations

from collections.abc import Sequence

from autograde.answer import Answer, Call
from autograde.exercise import Exercise, Misconception


def diagnose(exercise: Exercise, calls: Sequence[Call]) -> Misconception | None:
    """Return the first misconception that does in every one of `calls` what the learner's did.

    `calls` are those of the checks that failed, so that a match explains the whole failure;
    where the answer was never called, nothing explains it.
    """
    if not calls:
        return None
    return next((m for m in exercise.misconceptions if _explains(m, exercise, calls)), None)


def _explains(misconception: Misconception, exercise: Exercise, calls: Sequence[Call]) -> bool:
    answer = Answer(misconception.answer, exercise.seconds)
    return all(answer.try_on(*call.args, **call.kwargs).like(call) for call in calls)
