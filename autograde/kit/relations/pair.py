"""A result beside the right one, as numbers that can be compared."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograde.kit.answer import Call
from autograde.kit.compare import LEAVES, largest, same, step
from autograde.kit.exercise import Exercise
from bilingual import Text

MOST = 50_000  # numbers in one result that is compared
CALLS = 64
ENOUGH = 20.0  # bits of evidence: two floats, or twenty places of a mask


@dataclass(frozen=True)
class Pair:
    """One call: what went in, by name, what came out, and what is right."""

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
        scale = min(max(largest(value), 0.01), 1.0)
        return same(self.got, value, rtol=share, atol=share * scale)


@dataclass(frozen=True)
class Numbers(Pair):
    """A pair whose two sides are tensors of float64."""

    tolerance: float
    whole: bool = False  # the result holds integers, of an integer dtype

    def equal(self, left: Tensor, right: Tensor) -> bool:
        """Return whether two tensors agree in shape and numbers."""
        return left.shape == right.shape and bool(self.alike(left, right).all())

    def alike(self, left: Tensor, right: Tensor) -> Tensor:
        """Return where two tensors of one shape agree."""
        finite = right[right.isfinite()].abs()
        scale = min(max(float(finite.max()) if finite.numel() else 0.0, 0.01), 1.0)
        return torch.isclose(
            left, right, rtol=self.tolerance, atol=self.tolerance * scale, equal_nan=True
        )


# what torch raises for sizes and types that do not go together
ODD = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError,
       ValueError)  # fmt: skip
Relation = Callable[[Sequence[Numbers]], Text | None]


class NotTaken(Exception):  # not an error: a relation that does not hold
    """The truth has no result for these inputs."""


def truth_for(exercise: Exercise, inputs: dict[str, Any]) -> Any:
    """Return what is right for these inputs; raise `NotTaken` if nothing is."""
    try:
        return exercise.true_answer(**inputs)
    except Exception as error:  # of any kind: changed inputs may be nonsense
        raise NotTaken from error


def pairs_of(exercise: Exercise, calls: Sequence[Call]) -> list[Pair]:
    """Return the calls beside the truth; those that the truth has no result for are left out.

    A check may feed a result back, which the truth need not take.
    """
    signature = inspect.signature(exercise.true_answer)
    pairs = []
    for call in calls[:CALLS]:
        try:
            bound = signature.bind(*call.args, **call.kwargs)
            bound.apply_defaults()
            truth = truth_for(exercise, bound.arguments)
        except (NotTaken, TypeError):
            continue
        truth = exercise.part_of(truth, *call.args, **call.kwargs)
        pairs.append(Pair(dict(bound.arguments), call.result, truth, call))
    return pairs


def items(pairs: Sequence[Pair], tolerance: float) -> Iterator[tuple[str, list[Numbers]]]:
    """Yield each item of the results, as its index such as "[1][0]", and its numbers in every call.

    An item without numbers is passed over; where the results are not built like the right ones,
    there are none.
    """
    both = [(dict(_leaves(pair.got)), dict(_leaves(pair.want))) for pair in pairs]
    paths = list(both[0][1]) if both else []
    if len(paths) > LEAVES or any(list(side) != paths for sides in both for side in sides):
        return
    for path in paths:
        sides = [(got[path], numbers(got[path]), numbers(want[path])) for got, want in both]
        if all(got is not None and want is not None for _, got, want in sides):
            zipped = zip(pairs, sides, strict=True)
            yield path, [_numbers_of(one, *side, tolerance) for one, side in zipped]


def _numbers_of(pair: Pair, raw: Any, got: Tensor, want: Tensor, tolerance: float) -> Numbers:
    integers = isinstance(raw, Tensor) and not raw.is_floating_point() and raw.dtype != torch.bool
    return Numbers(pair.inputs, got, want, pair.call, max(tolerance, rounding(raw)), integers)


def rounding(result: Any) -> float:
    """Return the rounding to expect in a result of few digits, 0 where float32 or more is kept."""
    return 4 * step(result)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    inner = enumerate(value) if isinstance(value, list | tuple) else ()
    inner = value.items() if isinstance(value, dict) else inner
    if isinstance(value, list | tuple | dict) and len(value) <= LEAVES and path.count("[") < 3:
        for key, item in inner:
            yield from _leaves(item, f"{path}[{str(key)[:20]}]")
    else:
        yield path, value


def numbers(value: Any) -> Tensor | None:
    """Return a number or tensor as float64; None for what holds no plain numbers, or too many."""
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


def bits(values: Tensor) -> float:
    """Return how hard it is to meet these numbers by chance, in bits.

    A fraction counts 16; whole numbers and masks count what their own distribution says.
    """
    values = values[values.isfinite()].flatten() if values.isfinite().any() else values.flatten()
    if not values.numel():
        return 0.0
    distinct, counts = torch.unique(values, return_counts=True)
    if not bool((distinct == distinct.round()).all()):
        return 16.0 * int((distinct != distinct.round()).sum())
    share = counts / counts.sum()
    entropy = float(-(share * share.log2()).sum()) * values.numel()
    return max(entropy, float((1 + distinct.abs()).log2().sum()))


def evidence(pairs: Sequence[Pair]) -> float:
    """Return how hard it is to meet all the right numbers of these pairs by chance, in bits."""
    every = [pair for _, of_item in items(pairs, 1e-3) for pair in of_item]
    return sum(bits(pair.want) for pair in every)


def holds(
    pairs: Sequence[Numbers],
    image: Callable[[Numbers], Tensor | None],
    parameter: float = 0.0,
) -> bool:
    """Return whether each result is the image of the right one, and that says something.

    parameter: the bits that went into the choice of the image. What the image leaves as it is
    is no evidence for it.
    """
    moved_bits = 0.0
    for pair in pairs:
        expected = image(pair)
        if expected is None or not pair.equal(pair.got, expected):
            return False
        moved = expected
        if expected.shape == pair.want.shape:
            moved = expected[~pair.alike(expected, pair.want)]
        finite = moved.isfinite().any() or not moved.numel()
        moved_bits += bits(moved) if finite else moved.numel()
    return moved_bits >= ENOUGH + parameter


def wrong(pairs: Sequence[Numbers]) -> list[Numbers]:
    """Return the pairs whose result is not the right one."""
    return [pair for pair in pairs if not pair.equal(pair.got, pair.want)]


def axis_words(axis: int) -> Text:
    """Return what an axis is called: "the last axis"; "axis 0", counted from the start."""
    if axis >= 0:
        return Text(en=f"axis {axis}", zh=f"第{axis}维")
    ends = {-1: Text(en="the last axis", zh="最后一维")}
    return ends.get(axis) or Text(en=f"axis {axis}", zh=f"倒数第{-axis}维")


def choices(size: int) -> float:
    """Return the bits in one order of `size` things."""
    return math.lgamma(size + 1) / math.log(2)
