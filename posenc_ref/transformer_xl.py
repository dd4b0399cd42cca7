"""Transformer-XL, Dai et al. 2019, §3.3: four terms, with a sinusoid of the distance.

    (q_i·k_j  +  q_i·W R_{i-j}  +  u·k_j  +  v·W R_{i-j}) / √D

Of the four terms of (x_i + p_i) A (x_j + p_j)ᵀ each absolute key position becomes a relative one,
R_{i-j}, with a projection W of its own, and each absolute query position becomes a learned vector:
u where it met content, v where it met position. R is the sinusoid [sin | cos] of query minus key.
All four terms are divided by √D.

The authors project R once for each distance and rel-shift (rel_shift.py). Here the addition theorem
does it, for any positions: R_{i-j} is the sinusoid of j turned by i, so q·W R_{i-j} is q W, turned
by i, times the sinusoid of j. No (Lq, Lk, d) tensor is made.
Left out: `clamp_len` of the authors' code (XLNet's too), which clips distances and is not part of
the paper; a clipped distance does not split into the two positions.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from posenc_ref.score_inputs import relative_for
from posenc_ref.sinusoidal import sinusoidal
from posenc_ref.tensors import require_floats


class FourTerms(NamedTuple):
    """The four terms of the score, each (B, H, Lq, Lk) or broadcasting to it, scaled by 1/√D.

        score = (a) + (b) + (c) + (d)

    Source: Dai et al. 2019, §3.3, terms (a) to (d).
    Example:
        >>> from posenc_ref import FourTerms
        >>> len(FourTerms._fields)
        4
    """

    content_content: Tensor
    content_position: Tensor
    bias_content: Tensor
    bias_position: Tensor


def transformer_xl_terms(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    u: Tensor,
    v: Tensor,
    weight: Tensor,
) -> FourTerms:
    """Return the four terms; u and v are (H, D), weight is W, (H·D, d) as in nn.Linear, d even.

        q·k,   q·W R_{i-j},   u·k,   v·W R_{i-j},   each / √D

    Their sum is the score: `sum(transformer_xl_terms(…))`.

    Source: Dai et al. 2019, §3.3, terms (a) to (d).
    Raises:
        TypeError: as `relative_for`; u, v or weight is not of floats.
        ValueError: as `relative_for`; u, v or weight do not fit q; d is odd.
    Example:
        >>> from posenc_ref import positions, transformer_xl_terms
        >>> q, bias = torch.ones(1, 1, 2, 4), torch.zeros(1, 4)
        >>> terms = transformer_xl_terms(q, q, positions(2), positions(2), bias, bias, torch.eye(4))
        >>> terms.content_content[0, 0, 0].tolist(), terms.content_position[0, 0, 0, 0].item()
        ([2.0, 2.0], 1.0)
    """
    relative_for(q, k, q_positions, k_positions)
    u, v, w = _fitted(q, u, v, weight)  # (H, 1, D), (H, 1, D), (H, D, d)
    scale = q.shape[-1] ** -0.5

    def meets_distance(vectors: Tensor) -> Tensor:  # (…, H, Lq or 1, D) → (B, H, Lq, Lk)
        sin_part, cos_part = (vectors.to(w.dtype) @ w).chunk(2, dim=-1)  # (…, d/2) each
        sin, cos = _sinusoid(q_positions, w).chunk(2, dim=-1)
        turned = torch.cat((cos_part * sin - sin_part * cos, sin_part * sin + cos_part * cos), -1)
        return (turned @ _sinusoid(k_positions, w).mT * scale).to(q.dtype)

    return FourTerms(
        q @ k.mT * scale,
        meets_distance(q),
        u @ k.mT * scale,
        meets_distance(v),
    )


def _sinusoid(positions: Tensor, w: Tensor) -> Tensor:
    """[sin | cos] of the positions, with room for heads if there is a batch."""
    table = sinusoidal(positions, w.shape[-1], layout="concatenated", dtype=w.dtype)
    return table[:, None] if table.dim() == 3 else table


def _fitted(q: Tensor, u: Tensor, v: Tensor, weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    require_floats(u=u, v=v, weight=weight)
    _, heads, _, dim = q.shape
    if tuple(u.shape) != (heads, dim) or u.shape != v.shape:
        shapes = f"{tuple(u.shape)} and {tuple(v.shape)}"
        raise ValueError(f"u and v must be (H, D) = ({heads}, {dim}), got {shapes}")
    if weight.dim() != 2 or weight.shape[0] != heads * dim or weight.shape[1] % 2:
        raise ValueError(f"weight must be ({heads * dim}, d), d even, got {tuple(weight.shape)}")
    exact = torch.promote_types(q.dtype, torch.float32)  # sinusoids are turned in 32 bits at least
    w = torch.unflatten(weight.to(exact), 0, (heads, dim))
    return u[:, None].to(q.dtype), v[:, None].to(q.dtype), w
