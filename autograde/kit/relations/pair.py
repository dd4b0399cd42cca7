"""A result beside the right one: each call of an answer with what the truth returns for it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from autograde.kit.answer import Call
from autograde.kit.compare import close, step
from autograde.kit.exercise import Exercise

# what torch raises for sizes and types that do not go together
ODD = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError,
       ValueError)  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """One call: its inputs, by name, its result, and the right result."""

    inputs: dict[str, Any]
    got: Any
    want: Any
    call: Call

    def is_right(self, tolerance: float) -> bool:
        """Return whether the result is the right one, up to rounding."""
        return self.equals(self.want, tolerance)

    def equals(self, value: Any, tolerance: float) -> bool:
        """Return whether the result is `value`, up to rounding."""
        share = max(tolerance, rounding(self.got))
        return close(self.got, value, rtol=share, atol=share)


class NotTaken(Exception):  # not an error: a relation that does not hold
    """The truth has no result for these inputs."""


def truth_for(exercise: Exercise, inputs: dict[str, Any]) -> Any:
    """Return the right result for these inputs; raise `NotTaken` if there is none."""
    try:
        return exercise.true_answer(**inputs)
    except Exception as error:  # of any kind: changed inputs may be nonsense
        raise NotTaken from error


def pair_of(exercise: Exercise, call: Call) -> Pair | None:
    """Return a call beside the truth; None if the truth has no result for it.

    A check may feed a result back, and the truth need not accept it.
    """
    if exercise.true_answer is None:
        return None
    try:
        bound = inspect.signature(exercise.true_answer).bind(*call.args, **call.kwargs)
        bound.apply_defaults()
        truth = truth_for(exercise, bound.arguments)
    except (NotTaken, TypeError):
        return None
    truth = exercise.part_of(truth, *call.args, **call.kwargs)
    return Pair(dict(bound.arguments), call.result, truth, call)


def rounding(result: Any) -> float:
    """Return the relative rounding to expect in a 16-bit result, 0 for longer dtypes."""
    return 4 * step(result)
