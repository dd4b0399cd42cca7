"""Names the misconception behind a wrong answer: the one that gives the same wrong results."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from autograde.answer import Call, same
from autograde.exercise import Exercise, Misconception


def diagnose(exercise: Exercise, calls: Sequence[Call]) -> Misconception | None:
    """Return the first misconception that answers every one of `calls` as the learner did.

    `calls` are those of the checks that failed, so that a match explains the whole failure.
    """
    return next((m for m in exercise.misconceptions if _explains(m, calls)), None)


def _explains(misconception: Misconception, calls: Sequence[Call]) -> bool:
    return all(_agrees(misconception, call) for call in calls)


def _agrees(misconception: Misconception, call: Call) -> bool:
    args, kwargs = copy.deepcopy((call.args, call.kwargs))
    try:
        result = misconception.answer(*args, **kwargs)
    except Exception as error:  # a misconception may be one that raises
        return type(error) is call.error
    # float32 answers, computed in another order, of values of order one
    return call.error is None and same(call.result, result, rtol=1e-4, atol=1e-5)
