"""How far a base of RoPE carries, Men et al. 2024: a bound on averages, not on what a model does.

    lead(m) = Σ_i cos(m ω_i),   ω_i = base^(-2i/d)

A key that resembles the query, k = q + ε, scores higher than a random one on average, by a multiple
of lead(m) at distance m, if the channels are independent with one variance. A base *carries* a
length while lead(m) ≥ 0 for every m below it. The condition is not monotone in the base: at d = 128
a base of 11 610 carries 2048 tokens, 15 000 does not, so "the smallest base" depends on the bases
that are tried, and bisection does not work. Published tables differ for that reason.

Adjusted base frequency (Xiong et al. 2023: 10 000 → 500 000 for 32 768 tokens, with more training)
follows this criterion; ntk.py follows the angles seen in training.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from posenc_ref.scalars import require_integers, require_lists
from posenc_ref.sinusoidal import frequencies

BLOCK = 2**13  # distances at a time: 4 MiB of float64 cosines at d = 128


def length_bound(dim: int, *, base: float = 10000.0, most: int = 2**20) -> int:
    """Return how many tokens the base carries, () → int, at most `most`.

        min {m : Σ_i cos(m ω_i) < 0}

    Source: none in code; after Su 2024, and Men et al. 2024 without their factor.
    Raises:
        TypeError: dim or most is not an integer.
        ValueError: most is not positive; as `frequencies`.
    Example:
        >>> from posenc_ref import length_bound
        >>> length_bound(128, base=10000.0), length_bound(128, base=500000.0, most=8192)
        (1707, 8192)
    """
    require_integers(most=most)
    if most < 1:
        raise ValueError(f"most must be positive, got {most}")
    omega = frequencies(dim, base=base, device="cpu")  # (dim/2,)
    for start in range(0, most, BLOCK):
        distance = torch.arange(start, min(start + BLOCK, most), dtype=torch.float64, device="cpu")
        below = (distance[:, None] * omega).cos().sum(-1) < 0  # (block,)
        if below.any():
            return start + int(below.int().argmax())
    return most


def base_bound(dim: int, length: int, bases: Sequence[float]) -> float:
    """Return the smallest of `bases` that carries `length` tokens, a Python float.

        min {b ∈ bases : Σ_i cos(m b^(-2i/d)) ≥ 0 for all m < length}

    Source: none in code; after the table of bounds of Men et al. 2024.
    Raises:
        TypeError: dim or length is not an integer, bases is not a list of numbers.
        ValueError: length is not positive; none of the bases carries it; as `frequencies`.
    Example:
        >>> from posenc_ref import base_bound
        >>> base_bound(128, 8192, [10000.0, 100000.0, 500000.0])
        500000.0
    """
    require_integers(length=length)
    require_lists(bases=bases)
    if length < 1:
        raise ValueError(f"length must be positive, got {length}")
    for base in sorted(bases):
        if length_bound(dim, base=base, most=length) == length:
            return float(base)
    raise ValueError(f"none of {len(bases)} bases carries {length} tokens at dim = {dim}")
