"""The encodings of chapter 12's patients, in the sizes of a model under glass.

Each has one fault and is right otherwise, so that it can replace the encoding of a trained model;
`faults.py` does this.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from posenc_glass.encodings import DIM, HEADS
from posenc_ref import (
    AddedEncoding,
    BiasEncoding,
    RotaryEncoding,
    T5Bias,
    alibi,
    alibi_slopes,
    frequencies,
    relative_positions,
    rope_angles,
    rotate,
)
from posenc_ref.rope_angles import Layout

HEAD_DIM = DIM // HEADS
OMEGA = frequencies(HEAD_DIM)
Turn = Callable[[Tensor, Tensor], Tensor]  # (B, H, L, D), positions -> (B, H, L, D)


class Turned(RotaryEncoding):
    """Turns queries and keys by given functions."""

    def __init__(self, queries: Turn, keys: Turn | None = None) -> None:
        """Keep the functions; keys: default, the same as queries."""
        super().__init__(OMEGA)
        self.turns = (queries, queries if keys is None else keys)

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys, turned."""
        return self.turns[0](q, q_positions), self.turns[1](k, k_positions)


class CountedAlongTheBatch(AddedEncoding):
    """Case 4: the row's index in the batch is taken for the position."""

    def embed(
        self, x: Tensor, positions: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the sum with one row of the table for each row of the batch."""
        return super().embed(x, torch.arange(len(x))[:, None].expand(x.shape[:2]), state)


def table(omega: Tensor) -> AddedEncoding:
    """Return sinusoids of these frequencies (d/2,), added as the trained model adds its own."""

    def rows(at: Tensor) -> Tensor:
        angles = at[..., None] * omega
        return torch.stack((angles.sin(), angles.cos()), -1).flatten(-2).float()

    return AddedEncoding(rows, scale=DIM**0.5)


def turning(omega: Tensor = OMEGA, layout: Layout = "half") -> Turn:
    """Return a correct rotation by these frequencies (D/2,), in this layout."""
    return lambda x, at: rotate(x, rope_angles(at, omega), layout=layout)


def by_head(x: Tensor, at: Tensor) -> Tensor:
    """Case 7: the head's index is taken for the position."""
    angles = rope_angles(torch.arange(x.shape[1]), OMEGA)  # (H, D/2)
    return rotate(x, angles[None, :, None].expand(1, -1, x.shape[2], -1), layout="half")


def rounded_positions(x: Tensor, at: Tensor) -> Tensor:
    """Case 16: positions in bfloat16."""
    return rotate(x, rope_angles(at.bfloat16().double(), OMEGA), layout="half")


def in_place(x: Tensor, at: Tensor) -> Tensor:
    """Case 9: the second half is computed from the first half after its rotation."""
    x, angles = x.clone(), rope_angles(at, OMEGA)
    cos, sin = (part.to(x.dtype).unsqueeze(-3) for part in (angles.cos(), angles.sin()))
    a, b = x.chunk(2, dim=-1)
    a[:] = a * cos - b * sin
    b[:] = a * sin + b * cos
    return x


def slopes_from_0(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Case 10: heads are counted from 0."""
    return alibi(q_positions, k_positions, 2.0 ** (-8 * torch.arange(HEADS) / HEADS))


def rows_from_the_top(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Case 21: the first rows of the whole bias, instead of the queries' own rows."""
    first = k_positions[..., : q_positions.shape[-1]]
    return alibi(first, k_positions, alibi_slopes(HEADS), form="symmetric")


def without_exact_buckets(bias: T5Bias) -> BiasEncoding:
    """Case 11: the 16 exact buckets are not added back."""

    def faulty(q_positions: Tensor, k_positions: Tensor) -> Tensor:
        distance = (-relative_positions(q_positions, k_positions)).clamp(min=0)
        far = 16 * (distance.clamp(min=1) / 16).log() / math.log(128 / 16)
        bucket = torch.where(distance < 16, distance, far.long().clamp(max=31))
        return bias.weight[bucket].movedim(-1, -3)

    return BiasEncoding(faulty)
