"""Concatenated absolute encoding: [x; p], content and position in channels of their own.

The next projection splits in two, W [x; p] = W_x x + W_p p: concatenating equals adding two
projections. Addition is the special case W_x = W_p; the price of the freedom is more channels and
weights. `split_projection` gives W_x and W_p.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_floats, require_tensors


def concatenated(x: Tensor, table: Tensor) -> Tensor:
    """Return [x; p]: x (B, L, d), table (L, e) or (B, L, e) → (B, L, d + e), in the dtype of x.

        out[b, l] = [x[b, l]; p_l]

    Source: none published as a method; an identity of the course.
    Raises:
        TypeError: x or table is not of floats, as which the table could not be rounded.
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


def split_projection(weight: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return W_x (n, dim) and W_p (n, e) of a weight (n, dim + e), laid out as in nn.Linear.

        W [x; p] = W_x x + W_p p,   W = [W_x | W_p]

    Source: none, block multiplication of matrices.
    Raises:
        TypeError: weight is not a tensor; dim is not an integer.
        ValueError: weight is not a matrix with more than `dim` columns.
    Example:
        >>> from posenc_ref import split_projection
        >>> [w.tolist() for w in split_projection(torch.tensor([[1.0, 2.0, 3.0]]), dim=2)]
        [[[1.0, 2.0]], [[3.0]]]
    """
    require_tensors(weight=weight)
    require_integers(dim=dim)
    if weight.dim() != 2 or not 0 < dim < weight.shape[1]:
        raise ValueError(f"weight must be (n, {dim} + e), got {tuple(weight.shape)}")
    return weight[:, :dim], weight[:, dim:]
