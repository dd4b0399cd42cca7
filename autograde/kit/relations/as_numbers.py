"""Results as float64 tensors, item by item, for relations to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograde.kit.compare import LEAVES, alike, all_alike, largest
from autograde.kit.relations.pair import Pair, rounding
from bilingual import Text

MOST = 50_000  # numbers in one result that is compared


@dataclass(frozen=True)
class Numbers(Pair):
    """A pair whose two sides are tensors of float64."""

    tolerance: float
    whole: bool = False  # the result holds integers, of an integer dtype

    def equal(self, left: Tensor, right: Tensor) -> bool:
        """Return whether two tensors agree in shape and numbers."""
        if left.shape != right.shape:
            return False
        if torch.equal(left, right):
            return True
        # most are far apart: comparing with the widest tolerance settles them
        widest = self.tolerance
        sides = left.numpy(force=True), right.numpy(force=True)
        if not all_alike(*sides, rtol=widest, atol=widest):
            return False
        return bool(self.alike(left, right).all())

    def alike(self, left: Tensor, right: Tensor) -> Tensor:
        """Return where two tensors of one shape agree."""
        scale = min(max(largest(right), 0.01), 1.0)
        sides = left.numpy(force=True), right.numpy(force=True)
        return torch.as_tensor(alike(*sides, rtol=self.tolerance, atol=self.tolerance * scale))


Relation = Callable[[Sequence[Numbers]], Text | None]


def items(pairs: Sequence[Pair], tolerance: float) -> Iterator[tuple[str, list[Numbers]]]:
    """Yield each item of the results: its index, such as "[1][0]", and its numbers in every call.

    Items without numbers are skipped; nothing is yielded if a result has a different structure
    from the right one.
    """
    both = [(dict(_leaves_by_path(pair.got)), dict(_leaves_by_path(pair.want))) for pair in pairs]
    paths = list(both[0][1]) if both else []
    if len(paths) > LEAVES or any(list(side) != paths for sides in both for side in sides):
        return
    for path in paths:
        sides = [(got[path], numbers(got[path]), numbers(want[path])) for got, want in both]
        if all(got is not None and want is not None for _, got, want in sides):
            zipped = zip(pairs, sides, strict=True)
            yield path, [_numbers_of(pair, *side, tolerance) for pair, side in zipped]


def _numbers_of(pair: Pair, raw: Any, got: Tensor, want: Tensor, tolerance: float) -> Numbers:
    integers = isinstance(raw, Tensor) and not raw.is_floating_point() and raw.dtype != torch.bool
    return Numbers(pair.inputs, got, want, pair.call, max(tolerance, rounding(raw)), integers)


def _leaves_by_path(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    inner = enumerate(value) if isinstance(value, list | tuple) else ()
    inner = value.items() if isinstance(value, dict) else inner
    if isinstance(value, list | tuple | dict) and len(value) <= LEAVES and path.count("[") < 3:
        for key, item in inner:
            yield from _leaves_by_path(item, f"{path}[{str(key)[:20]}]")
    else:
        yield path, value


def numbers(value: Any) -> Tensor | None:
    """Return a number or tensor as float64; None if it has no plain numbers, or too many."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biuf":
        value = torch.from_numpy(np.array(value)) if value.size <= MOST else None
    if isinstance(value, Real):
        if isinstance(value, int) and abs(value) > 2**53:  # float64 has no such number
            return None
        return torch.tensor(float(value), dtype=torch.float64)
    if not isinstance(value, Tensor) or value.is_nested or value.is_complex():
        return None
    if value.numel() > MOST:
        return None
    if value.layout is not torch.strided or value.is_meta or value.is_quantized:
        return None
    return value.detach().to("cpu", torch.float64)


def same_shapes(pairs: Sequence[Numbers]) -> bool:
    """Return whether every result has the right shape."""
    return all(pair.got.shape == pair.want.shape for pair in pairs)


def axis_words(axis: int) -> Text:
    """Return the words for an axis: "the last axis"; "axis 0", counted from the start."""
    if axis >= 0:
        return Text(en=f"axis {axis}", zh=f"第{axis}轴")
    ends = {-1: Text(en="the last axis", zh="最后一轴")}
    return ends.get(axis) or Text(en=f"axis {axis}", zh=f"倒数第{-axis}轴")
