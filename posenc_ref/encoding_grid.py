"""Encodings with several positions per token: an image, `width` patches a row, read row by row.

    token p stands in row ⌊p / width⌋ and column p mod width

So a decoder that counts its tokens knows both, and can decode an image patch by patch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from posenc_ref.encoding import Encoding
from posenc_ref.grouped_query import repeat_heads
from posenc_ref.mrope import Arrangement, mrope_angles
from posenc_ref.positions import checked_positions
from posenc_ref.rope import Layout, rotate
from posenc_ref.rope_2d import rotate_2d
from posenc_ref.rope_angles import rope_angles
from posenc_ref.rope_axial import axial_angles
from posenc_ref.rope_mixed import mixed_angles, mixed_waves
from posenc_ref.scalars import require_integers
from posenc_ref.sinusoidal import frequencies

Turn = Callable[[Tensor, Tensor, Tensor], Tensor]  # x (B, H, L, D), rows, columns → x turned


class GridEncoding(Encoding):
    """Turns queries and keys by the row and the column of each token.

        q, k → turn(x, ⌊p / width⌋, p mod width),   (B, H, L, D) → (B, H, L, D)

    Source: none, plumbing of `axial_angles`, `rotate_2d`, `mixed_angles` and `mrope_angles`.
    Raises:
        TypeError: width is not an integer.
        ValueError: width is not positive.
    Example:
        >>> from posenc_ref import GridEncoding, positions
        >>> from posenc_ref.encoding_grid import turn_axial
        >>> GridEncoding(turn_axial, width=3).cells(positions(5))
        (tensor([0, 0, 0, 1, 1]), tensor([0, 1, 2, 0, 1]))
    """

    def __init__(self, turn: Turn, *, width: int = 8) -> None:
        """Keep the function that turns, and the number of tokens in a row."""
        super().__init__()
        require_integers(width=width)
        if width < 1:
            raise ValueError(f"width must be positive, got {width}")
        self.turn, self.width = turn, width

    def cells(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return the row and the column of each token."""
        at = checked_positions(positions)
        return at // self.width, at % self.width

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys, turned."""
        return self.turn(q, *self.cells(q_positions)), self.turn(k, *self.cells(k_positions))


def turn_axial(
    x: Tensor, rows: Tensor, columns: Tensor, *, layout: Layout = "half", base: float = 10000.0
) -> Tensor:
    """Return x (B, H, L, D), half of its pairs turned by the row, half by the column."""
    omega = frequencies(x.shape[-1] // 2, base=base, device=x.device)
    return rotate(x, axial_angles((rows, columns), omega), layout=layout)


def turn_2d(
    x: Tensor, rows: Tensor, columns: Tensor, *, layout: Layout = "half", base: float = 10000.0
) -> Tensor:
    """Return x (B, H, L, D), half of its channels turned by the row, half by the column."""
    omega = frequencies(x.shape[-1] // 2, base=base, device=x.device)
    return rotate_2d(x, *(rope_angles(at, omega) for at in (rows, columns)), layout=layout)


def turn_mrope(
    x: Tensor,
    rows: Tensor,
    columns: Tensor,
    *,
    sections: Sequence[int] | None = None,
    arrangement: Arrangement = "chunked",
    layout: Layout = "half",
    base: float = 10000.0,
) -> Tensor:
    """Return x (B, H, L, D) turned as one image of Qwen2-VL, where time stands still.

    sections: the pairs of time, height and width; by default in the ratio of Qwen2-VL's 16, 24, 24.
    """
    omega = frequencies(x.shape[-1], base=base, device=x.device)
    side = 3 * len(omega) // 8
    sections = (len(omega) - 2 * side, side, side) if sections is None else sections
    at = torch.stack((torch.zeros_like(rows), rows, columns))
    return rotate(x, mrope_angles(at, omega, sections, arrangement=arrangement), layout=layout)


class MixedTurn(nn.Module):
    """Turns x (B, H, L, D) by learned wave vectors of each head: RoPE-Mixed."""

    def __init__(
        self, dim: int, heads: int, *, layout: Layout = "half", base: float = 10.0
    ) -> None:
        """Begin at a right angle, turned by a random angle for each head; dim is that of a head."""
        super().__init__()
        self.layout = layout
        self.waves = nn.Parameter(mixed_waves(2 * math.pi * torch.rand(heads), dim, base=base))

    def forward(self, x: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
        """Return x turned; angles are computed in float32 or better."""
        waves = self.waves.to(torch.promote_types(self.waves.dtype, torch.float32))
        x = repeat_heads(x, waves.shape[1])  # heads that share a key turn it differently
        return rotate(x, mixed_angles(rows, columns, waves), layout=self.layout)
