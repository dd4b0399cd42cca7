"""rel-shift: scores by distance → scores by key, without a gather (Transformer-XL, appendix B).

A matrix product with one row per *distance* gives x[i, r]. What attention needs is x[i, r(i, j)],
where r moves by one from row to row. Pad each row by one number, read the memory with rows one
number longer, cut: every row has slid by one more than the row above it.

What slides in from the next row is wrong. In Transformer-XL it is what stands right of the
diagonal, keys ahead of the query, which the causal mask removes: that is why the trick is safe
there, and only there. XLNet sees both directions and has columns enough that nothing wrong is left.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_tensors


def rel_shift(x: Tensor) -> Tensor:
    """Return x shifted for Transformer-XL: (…, Lq, Lk), columns Lk - 1 … 0 tokens back, → by key.

        out[i, j] = x[i, j - i + Lq - 1]   for   j ≤ i + Lk - Lq

    Right for keys that are not ahead: out[i, j] = x[i, j - i + Lq - 1] for j ≤ i + Lk - Lq.

    Source: Dai et al. 2019, appendix B; `_rel_shift` in kimiyoung/transformer-xl.
    Raises:
        TypeError: x is not a tensor.
        ValueError: x has fewer than two axes, or more queries than keys.
    Example:
        >>> from posenc_ref import rel_shift
        >>> rel_shift(torch.tensor([[2, 1, 0], [12, 11, 10], [22, 21, 20]])).tolist()
        [[0, 0, 12], [11, 10, 0], [22, 21, 20]]
    """
    *_, queries, keys = _checked(x)
    padded = pad(x, (1, 0))  # (…, Lq, Lk + 1)
    return torch.unflatten(padded.flatten(-2)[..., queries:], -1, (queries, keys))


def rel_shift_bidirectional(x: Tensor, keys: int) -> Tensor:
    """Return x shifted for XLNet: (…, Lq, R), columns `keys` … tokens back and on, → (…, Lq, keys).

        out[i, j] = x[i, j - i + Lq]

    Column r stands for query - key = keys - r; right everywhere for R ≥ keys + Lq.

    Source: Yang et al. 2019; `rel_shift` in zihangdai/xlnet.
    Raises:
        TypeError: x is not a tensor.
        ValueError: x has fewer than two axes, keys is negative, or R < keys + Lq.
    Example:
        >>> from posenc_ref import rel_shift_bidirectional
        >>> rel_shift_bidirectional(torch.tensor([[2, 1, 0, -1], [2, 1, 0, -1]]), keys=2).tolist()
        [[0, -1], [1, 0]]
    """
    require_tensors(x=x)
    require_integers(keys=keys)
    if keys < 0:  # a slice would count from the end
        raise ValueError(f"keys must be at least 0, got {keys}")
    *_, queries, columns = x.shape if x.dim() > 1 else (0, 0)
    if x.dim() < 2 or columns < keys + queries:
        raise ValueError(f"x must be (…, Lq, R) with R ≥ {keys} + Lq, got {tuple(x.shape)}")
    if not queries:  # no row to slide, and none whose memory could be read
        return x[..., :keys]
    slid = torch.unflatten(x.flatten(-2)[..., queries:], -1, (queries, columns - 1))
    return slid[..., :keys]


def _checked(x: Tensor) -> torch.Size:
    require_tensors(x=x)
    if x.dim() < 2 or x.shape[-2] > x.shape[-1]:
        raise ValueError(f"x must be (…, Lq, Lk) with Lq ≤ Lk, got {tuple(x.shape)}")
    return x.shape
