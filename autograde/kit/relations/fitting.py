"""Which changes fit the inputs of the calls of an answer."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from inspect import Parameter
from itertools import combinations
from typing import Any

from torch import Tensor

from autograde.kit.exercise import Exercise
from autograde.kit.relations.change import Change, Inputs, of_input
from autograde.kit.relations.change_of_number import of_number
from autograde.kit.relations.change_of_tensor import of_tensor
from autograde.kit.relations.pair import Pair
from bilingual import Text


def fitting_changes(exercise: Exercise, pairs: Sequence[Pair]) -> list[Change]:
    """Return the changes that fit the inputs of all pairs."""
    parameters = dict(inspect.signature(exercise.true_answer).parameters)
    return list(_changes([pair.inputs for pair in pairs], parameters))


def _changes(calls: Sequence[Inputs], parameters: dict[str, Parameter]) -> Iterator[Change]:
    """Yield the changes that fit the inputs of these calls, the likeliest first."""
    inputs = calls[0]
    for name, value in inputs.items():
        if isinstance(value, Tensor):
            values = [call[name] for call in calls if isinstance(call[name], Tensor)]
            yield from of_tensor(name, values, inputs)
        elif isinstance(value, bool):
            yield of_input(name, f"for `{name}` = {not value}", f"`{name}`取{not value}", _not)
        elif isinstance(value, int | float):
            yield from of_number(name, value, [call[name] for call in calls])
        elif isinstance(value, list | tuple) and len(value) > 1:
            yield of_input(name, f"for `{name}` in reverse", f"`{name}`倒序", _reversed, rare=True)
    for name, parameter in parameters.items():
        if parameter.default is not Parameter.empty and name in inputs:
            default = parameter.default
            yield of_input(
                name,
                f"with `{name}` = {_plain(default)} whatever is passed",
                f"无论传入什么、`{name}`都取{_plain(default)}",
                lambda _, default=default: default,
            )
    for left, right in combinations(inputs, 2):
        if _exchangeable(inputs[left], inputs[right]):
            yield Change(
                "exchanged",
                Text(en=f"with `{left}` and `{right}` exchanged", zh=f"`{left}`与`{right}`互换"),
                lambda inputs, left=left, right=right: {
                    **inputs,
                    left: inputs[right],
                    right: inputs[left],
                },
            )


def _reversed(values: Sequence[Any]) -> Sequence[Any]:
    return values[::-1]


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _not(value: Any) -> bool:
    return not value


def _exchangeable(left: Any, right: Any) -> bool:
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return left.ndim == right.ndim and left.is_floating_point() == right.is_floating_point()
    numbers = (int, float)
    return isinstance(left, numbers) and isinstance(right, numbers)
