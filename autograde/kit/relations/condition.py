"""What distinguishes inputs with a right result from inputs with a wrong one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from autograde.kit.relations.pair import Pair
from bilingual import Text

EACH = 2  # calls at least that must be right, and as many that must be wrong
CALLS = 6  # at least in all: something always distinguishes a few calls


def condition(pairs: Sequence[Pair], right: Sequence[bool]) -> Text | None:
    """Return the condition on inputs that separates the right calls from the wrong ones.

    None if several conditions do: no single one is sure then.
    """
    if len(right) < CALLS or min(sum(right), len(right) - sum(right)) < EACH:
        return None
    facts = [dict(_facts(pair.inputs)) for pair in pairs]
    common = set.intersection(*(set(one) for one in facts))
    apart = [
        (fact, value)
        for fact in facts[0]
        if fact in common
        for value in (True, False)
        if [one[fact] is value for one in facts] == list(right)
    ]
    if len(apart) != 1:
        return None
    ((fact, value),) = apart
    name, en, zh = fact
    if value:
        return Text(
            en=f"Your result is right where {name} {en}, and wrong in every other call.",
            zh=f"{name}{zh}时你的结果都对，否则都错。",
        )
    return Text(
        en=f"Your result is wrong in every call where {name} {en}, and right in the others.",
        zh=f"{name}{zh}时你的结果都错，其余都对。",
    )


Fact = tuple[str, str, str]  # the subject, and the rest of the sentence in English and Chinese


def _facts(inputs: dict[str, Any]) -> Iterator[tuple[Fact, bool]]:
    for name, value in inputs.items():
        quoted = f"`{name}`"
        if isinstance(value, Tensor):
            yield from _of_tensor(name, value)
        elif isinstance(value, bool):
            yield (quoted, "is True", "为True"), value
        elif isinstance(value, int | float):
            yield (quoted, "is 0", "为0"), value == 0
            yield (quoted, "is 1", "为1"), value == 1
            yield (quoted, "is a power of 2", "是2的幂"), _power_of_two(value)
            yield (quoted, "is a whole number", "是整数"), float(value).is_integer()
        elif isinstance(value, str):
            word = value[:40]
            yield (quoted, f'is "{word}"', f"为“{word}”"), True
        else:
            yield (quoted, "is None", "为None"), value is None


def _of_tensor(name: str, value: Tensor) -> Iterator[tuple[Fact, bool]]:
    for axis in range(-value.ndim, 0):
        size = f"`{name}.shape[{axis}]`"
        yield (size, "is 1", "为1"), value.shape[axis] == 1
    quoted = f"`{name}`"
    if value.is_floating_point():
        yield (quoted, "is float32", "为float32"), value.dtype == torch.float32
    if value.dtype != torch.bool and not value.is_complex() and value.numel():
        if bool((value.abs() > 1).any()):
            whole = bool((value == value.round()).all())
            yield (quoted, "holds whole numbers only", "只含整数"), whole
        yield (quoted, "is 0 everywhere", "全为0"), not bool(value.any())
        yield (quoted, "has negative numbers", "有负数"), bool((value < 0).any())
    elif value.dtype == torch.bool:
        yield (quoted, "is True everywhere", "全为True"), bool(value.all())


def _power_of_two(value: float) -> bool:
    return float(value).is_integer() and value > 0 and int(value) & (int(value) - 1) == 0
