"""How hard it is to meet numbers by chance: what a relation must show before it is said."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, items
from autograde.kit.relations.pair import Pair

ENOUGH = 20.0  # bits of evidence: two floats, or twenty places of a mask
MANY = 4096
FEW = 8  # numbers that may be the same by chance


def bits(values: Tensor) -> float:
    """Return how hard it is to meet these numbers by chance, in bits.

    A fraction counts 16; whole numbers and masks count what their own distribution says. Of many
    numbers a part is enough.
    """
    values = values.flatten()[:: values.numel() // MANY + 1]
    values = values[values.isfinite()] if values.isfinite().any() else values
    if not values.numel():
        return 0.0
    distinct, counts = torch.unique(values, return_counts=True)
    if not bool((distinct == distinct.round()).all()):
        return 16.0 * int((distinct != distinct.round()).sum())
    share = counts / counts.sum()
    entropy = float(-(share * share.log2()).sum()) * values.numel()
    return max(entropy, float((1 + distinct.abs()).log2().sum()))


def is_uniform(pairs: Sequence[Numbers]) -> bool:
    """Return whether all results hold one number, or NaN alone; a few may do so by chance."""
    values = torch.cat([pair.got.flatten() for pair in pairs])
    same = bool(values.isnan().all() or (values == values[:1]).all())
    return same and values.numel() >= FEW


def is_evidence(pairs: Sequence[Pair], least: float) -> bool:
    """Return whether it takes `least` bits to meet the numbers of these pairs by chance."""
    total = 0.0
    for _, of_item in items(pairs, 1e-3):
        if is_uniform(of_item):  # 0 or NaN everywhere: many a mistake gives that
            continue
        for pair in of_item:
            total += bits(pair.want)
            if total >= least:
                return True
    return False


def holds(
    pairs: Sequence[Numbers],
    image: Callable[[Numbers], Tensor | None],
    parameter: float = 0.0,
) -> bool:
    """Return whether each result is the image of the right one, and that says something.

    parameter: the bits that went into the choice of the image. What the image leaves as it is
    is not evidence for it.
    """
    needed, moved_bits = ENOUGH + parameter, 0.0
    for pair in pairs:
        expected = image(pair)
        if expected is None or not pair.equal(pair.got, expected):
            return False
        if moved_bits >= needed:
            continue
        moved = expected
        if expected.shape == pair.want.shape:
            moved = expected[~pair.alike(expected, pair.want)]
        finite = moved.isfinite().any() or not moved.numel()
        moved_bits += bits(moved) if finite else moved.numel()
    return moved_bits >= needed


def wrong(pairs: Sequence[Numbers]) -> list[Numbers]:
    """Return the pairs whose result is not the right one."""
    return [pair for pair in pairs if not pair.equal(pair.got, pair.want)]


def choices(size: int) -> float:
    """Return the bits in one order of `size` things."""
    return math.lgamma(size + 1) / math.log(2)
