"""Names the misconception behind a wrong answer: the one that gives the same wrong results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograde.kit.answer import Answer, Call
from autograde.kit.exercise import Exercise, Misconception

# float32 rounding first; then that of the sine of a large angle, computed in another order
TOLERANCES = (1e-5, 1e-3)


def explanations(exercise: Exercise, calls: Sequence[Call]) -> Iterator[Misconception]:
    """Yield the misconceptions that do in every one of `calls` what the learner's did, best first.

    `calls` are those of the checks that failed, so that a match explains the whole failure;
    where the answer was never called, nothing explains it.
    """
    if not calls:
        return
    for tolerance in TOLERANCES:
        for misconception in exercise.misconceptions:
            answer = Answer(misconception.answer, exercise.seconds)
            if all(answer.try_on(*c.args, **c.kwargs).like(c, tolerance) for c in calls):
                yield misconception
