"""How unlikely numbers are to match by chance: the evidence that a relation needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, items
from autograde.kit.relations.pair import Pair

ENOUGH = 20.0  # bits of evidence: two floats, or twenty places of a mask
MANY = 4096
FEW = 8  # fewer equal numbers may be chance


def bits(values: Tensor) -> float:
    """Return how unlikely it is to match these numbers by chance, in bits.

    Each distinct fraction counts 16; whole numbers and masks count by their own distribution. Of
    many numbers only a sample is used.
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
    """Return whether all numbers of the results are equal, or NaN; False for fewer than `FEW`."""
    values = torch.cat([pair.got.flatten() for pair in pairs])
    same = bool(values.isnan().all() or (values == values[:1]).all())
    return same and values.numel() >= FEW


def is_evidence(pairs: Sequence[Pair], least: float) -> bool:
    """Return whether these pairs hold at least `least` bits of evidence against chance."""
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
    """Return whether each result is the image of the right one, with enough evidence.

    parameter: the bits that went into the choice of the image. Numbers that the image leaves
    unchanged are not evidence for it.
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
    """Return the bits that specify one order of `size` things."""
    return math.lgamma(size + 1) / math.log(2)
