"""The right numbers in another dtype, in NumPy, in a list, or as floats in place of ints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograde.kit.answer import leaves
from autograde.kit.compare import close, same
from autograde.kit.relations.as_numbers import MOST, numbers
from autograde.kit.relations.pair import Pair
from autograde.kit.verdict import Cause
from bilingual import Text

FLOATS = Text(
    en="Your numbers are right, but they are floats where ints are expected: `/`, and a product "
    "with a float, give floats. `//` keeps ints; `int(…)` converts a float.",
    zh="你的数都对，只是该用整数的地方用了浮点数：`/`以及与浮点数相乘都会得到浮点数。"
    "`//`的结果仍是整数；`int(…)`可把浮点数转成整数。",
)
NUMPY = Text(
    en="Your numbers are right, but in a NumPy array where a tensor is expected: convert it with "
    "`torch.from_numpy(…)`, or compute with torch.",
    zh="你的数都对，只是放在NumPy数组里，而这里要的是张量：可用`torch.from_numpy(…)`转换，"
    "或者直接用torch计算。",
)
LISTED = Text(
    en="Your numbers are right, but in a list or tuple where a tensor is expected: use "
    "`torch.tensor(…)` for numbers, `torch.stack(…)` for tensors.",
    zh="你的数都对，只是放在列表或元组里，而这里要的是张量：数用`torch.tensor(…)`转换，"
    "几个张量用`torch.stack(…)`叠成一个。",
)
TOLERANCE = 1e-3
ROUNDINGS = 16  # of the right dtype that a different order of operations may cost


def in_numpy(pairs: Sequence[Pair]) -> Cause | None:
    """Return the cause if right numbers are in NumPy arrays; None if they are not right."""
    tensors = [replace(pair, got=_as_tensors(pair.got)) for pair in pairs]
    right = tensors and all(pair.is_right(TOLERANCE) for pair in tensors)
    return Cause("relation", "numpy", NUMPY) if right else None


def is_numpy(result: Any) -> bool:
    """Return whether a result contains NumPy arrays."""
    return any(isinstance(leaf, np.ndarray) for leaf in leaves(result))


def in_a_list(pairs: Sequence[Pair]) -> Cause | None:
    """Return the cause if right numbers are in lists or tuples instead of a tensor, else None."""
    right = pairs and all(
        any(replace(pair, got=item).is_right(TOLERANCE) for item in _stacked(pair.got, pair.want))
        for pair in pairs
    )
    return Cause("relation", "list", LISTED) if right else None


def _stacked(got: Any, want: Any) -> Iterator[Tensor]:
    """Yield the tensors of the right shape that a list of numbers or tensors can make."""
    if not isinstance(got, list | tuple) or not isinstance(want, Tensor):
        return
    parts = [*leaves(got)]
    if len(parts) > MOST:
        return
    tensors: list[Tensor] = []
    if all(isinstance(part, int | float) for part in parts):
        # rows of different length, numbers beside lists, numbers beyond float64
        with suppress(ValueError, TypeError, OverflowError, RuntimeError):
            tensors = [torch.tensor(got, dtype=torch.float64)]
    elif all(isinstance(row, Tensor) and row.shape == got[0].shape for row in got):
        tensors = [torch.stack([*got], axis) for axis in range(got[0].dim() + 1)]
    yield from (one for one in tensors if one.shape == want.shape)


def _as_tensors(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [*map(_as_tensors, value)]
    return numbers(value) if isinstance(value, np.ndarray) else value


def in_another_dtype(pairs: Sequence[Pair]) -> Cause | None:
    """Return the dtype mistake if a cast at the end would fix every result, else None."""
    if pairs and all(_only_floats(pair.got, pair.want) for pair in pairs):
        return Cause("relation", "floats", FLOATS)
    if not all(map(right_but_for_dtype, pairs)):
        return None
    results = [each for pair in pairs for each in _leaf_pairs(pair.got, pair.want)]
    for got, want in results:
        if isinstance(got, Tensor) and isinstance(want, Tensor) and got.dtype != want.dtype:
            mine, right = (str(result.dtype).removeprefix("torch.") for result in (got, want))
            text = Text(
                en=f"Your numbers are right; only the dtype differs: yours is {mine}, "
                f"expected {right}. `.to(torch.{right})` at the end fixes it.",
                zh=f"你的数都对，只是dtype不对：你的是{mine}，应为{right}。"
                f"最后用`.to(torch.{right})`转换即可。",
            )
            return Cause("relation", "dtype", text)
    return None


def right_but_for_dtype(pair: Pair) -> bool:
    """Return whether a result is right, but for its dtype or a float in place of an int."""
    results = _leaf_pairs(pair.got, pair.want)
    return _only_floats(pair.got, pair.want) or all(_same_in_dtype(*each) for each in results)


def _only_floats(got: Any, want: Any) -> bool:
    """Return whether equal Python results differ only in a float in place of an int."""
    kinds = [(type(left), type(right)) for left, right in _leaf_pairs(got, want)]
    alike = all(left is right or left is float for left, right in kinds)
    return (float, int) in kinds and alike and same(got, want)


def _leaf_pairs(got: Any, want: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(got, list | tuple) and isinstance(want, list | tuple):
        for left, right in zip(got, want, strict=False):
            yield from _leaf_pairs(left, right)
    else:
        yield got, want


def _same_in_dtype(got: Any, want: Any) -> bool:
    if not (isinstance(got, Tensor) and isinstance(want, Tensor)):
        return same(got, want)
    if not want.is_floating_point():  # a cast would cut digits off, or make any number True
        return same(got, want)
    eps = torch.finfo(want.dtype).eps
    is_coarser = got.is_floating_point() and torch.finfo(got.dtype).eps > eps
    share = eps if is_coarser else ROUNDINGS * eps  # no cast brings lost digits back
    return close(got.to(want.dtype), want, rtol=share, atol=share)
