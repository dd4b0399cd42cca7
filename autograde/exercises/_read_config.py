"""Comparisons of what an answer makes of a config.json: a dictionary goes in, plain values out."""

from __future__ import annotations

from typing import Any

import torch

from autograde.kit.call_inputs import parameters
from autograde.kit.compare import same
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import excerpt, expect, expect_something


def expect_read(exercise: Exercise, answer: Function, config: dict[str, Any], *more: Any) -> Any:
    """Return what `answer` makes of a config if that equals the true answer."""
    got, want = answer(config, *more), exercise.true_answer(config, *more)
    expect_something(got)
    pairs = zip(parameters(exercise), (config, *more), strict=False)
    inputs = [f"{name} = {excerpt(value)}" for name, value in pairs]  # which no report repeats
    expect(
        same(got, want),
        f"for {' and '.join(inputs)} yours is {excerpt(got)}, expected {excerpt(want)}",
        f"{'、'.join(inputs)}时，你的结果是{excerpt(got)}，应为{excerpt(want)}",
    )
    return got


def drawn(rng: torch.Generator, *choices: Any) -> Any:
    """Return one of the choices."""
    return choices[int(torch.randint(len(choices), (), generator=rng))]


def whole(rng: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high."""
    return int(torch.randint(low, high + 1, (), generator=rng))
