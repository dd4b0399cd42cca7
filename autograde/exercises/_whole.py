"""Comparisons of answers that count: numbers of parameters, keys or bytes."""

from __future__ import annotations

import operator
from typing import Any

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import Wrong, excerpt
from autograde.kit.expect_values import expect_agreement


def expect_whole(exercise: Exercise, answer: Function, *arguments: Any) -> None:
    """Compare with the true answer, and raise `Wrong` unless the result is an int."""
    got = expect_agreement(answer, exercise.true_answer, *arguments, rtol=0, atol=0)
    try:
        operator.index(got)
    except TypeError:
        raise Wrong(
            f"the number is right, but it is a {type(got).__name__}, {excerpt(got)}: expected an "
            "int; `//` divides whole numbers",
            f"数是对的，但它是{type(got).__name__}，{excerpt(got)}：应为int；整数除法用`//`",
        ) from None
