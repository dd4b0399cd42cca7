"""Multiplicative absolute encoding: the embedding is multiplied by the position's row, x ⊙ p.

Tried in several early models beside the sum; a row of ones changes nothing, as a row of zeros
changes nothing in a sum. With p = PE(pos), channels where the sine is 0 are erased at that
position: most people who multiply use 1 + p or a learned table that starts at ones.
"""

from __future__ import annotations

from torch import Tensor

from posenc_ref.tensors import require_floats


def multiplicative(x: Tensor, table: Tensor) -> Tensor:
    """Return x ⊙ p: x (B, L, d), table (L, d) or (B, L, d) → (B, L, d), in the dtype of x.

        out[b, l, c] = x[b, l, c] · p[l, c]

    Source: none published as a method; an identity of the course.
    Raises:
        TypeError: x or table is not of floats: the table is rounded to the dtype of x.
        ValueError: the shapes disagree.
    Example:
        >>> from posenc_ref import multiplicative
        >>> multiplicative(torch.ones(1, 2, 2), torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [[[1.0, 2.0], [3.0, 4.0]]]
    """
    return x * fitted(table, x)


def fitted(table: Tensor, x: Tensor) -> Tensor:
    """Return the table in the dtype of x, if it has a row for each token of x (B, L, d)."""
    require_floats(x=x, table=table)
    if x.dim() != 3 or table.shape not in (x.shape, x.shape[1:]):
        shapes = f"{tuple(x.shape)} and {tuple(table.shape)}"
        raise ValueError(f"x (B, L, d) and table (L, d) or (B, L, d) disagree: {shapes}")
    return table.to(x.dtype)
