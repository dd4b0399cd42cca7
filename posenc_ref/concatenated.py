"""Concatenated absolute encoding: [x; p], content and position in separate channels.

The next projection splits in two, W [x; p] = W_x x + W_p p: concatenating equals adding two
projections. Addition is the special case W_x = W_p; the price of the freedom is more channels and
weights.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.tensors import require_floats


def concatenated(x: Tensor, table: Tensor) -> Tensor:
    """Return [x; p]: x (B, L, d), table (L, e) or (B, L, e) → (B, L, d + e), in the dtype of x.

        out[b, l] = [x[b, l]; p_l]

    Source: none published as a method; an identity of the course.
    Raises:
        TypeError: x or table is not of floats: the table is rounded to the dtype of x.
        ValueError: the shapes disagree.
    Example:
        >>> from posenc_ref import concatenated
        >>> concatenated(torch.ones(1, 2, 1), torch.tensor([[5.0], [6.0]])).tolist()
        [[[1.0, 5.0], [1.0, 6.0]]]
    """
    require_floats(x=x, table=table)
    if x.dim() != 3 or table.shape[:-1] not in (x.shape[:-1], x.shape[1:-1]):
        shapes = f"{tuple(x.shape)} and {tuple(table.shape)}"
        raise ValueError(f"x (B, L, d) and table (L, e) or (B, L, e) disagree: {shapes}")
    return torch.cat((x, table.to(x.dtype).expand(*x.shape[:-1], -1)), dim=-1)
