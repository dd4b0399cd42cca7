"""Attention of the newest token, one decode step: all keys are its past, so there is no mask.

With a bias that falls with distance (ALiBi, KERPLE, Sandwich) the weights of far keys are zero in
floating point, exp(-104) in float32. Large caches on a CPU are read by loops that leave the values
of such keys alone (posenc_loops); all else is torch's fused attention.
"""

from __future__ import annotations

from types import ModuleType

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from posenc_ref.loops import loops
from posenc_ref.positions import require_tensors
from posenc_ref.rope_fast import needs_plain
from posenc_ref.score_inputs import checked_bias, require_queries_and_keys


def decode_attention(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    """Return what one query reads, (B, H, 1, Dv), with a row of bias, as `attention` does.

        softmax(q kᵀ/√D + bias) v

    q: (B, H, 1, D); k: (B, H, Lk, D); v: (B, H, Lk, Dv); bias: (1, Lk), (H, 1, Lk) or
    (B, H, 1, Lk), float32 or q's dtype. A key that weighs less than the smallest normal number,
    1e-38 of the largest weight in float32, may count as nothing.

    Source: Vaswani et al. 2017, §3.2.1, eq. (1); Press et al. 2022, §3, for a bias that falls.
    Raises:
        TypeError: dtypes of q, k and v differ or are not floats; bias is neither float32 nor of
            q's dtype.
        ValueError: shapes disagree; there is more than one query.
    Example:
        >>> from posenc_ref import alibi, alibi_slopes, decode_attention, positions
        >>> at, q, v = positions(3), torch.zeros(1, 1, 1, 2), torch.tensor([9.0, 9.0, 1.0])
        >>> row = alibi(at[-1:], at, torch.tensor([100.0]))  # (H, 1, Lk)
        >>> decode_attention(q, q.expand(1, 1, 3, 2), v.view(1, 1, 3, 1), row).item()
        1.0
    """
    row = _checked(q, k, v, bias)
    followed = needs_plain(q, k, v) or needs_plain(row, row, row)
    if not (followed or torch.compiler.is_compiling() or torch.is_autocast_enabled("cpu")):
        module = loops("posenc_loops.decode", k)
        if module and module.can_attend(q, k, v, row):
            return _read_by_loops(q, k, v, row, module)
    # other devices want a mask of q's dtype; in float64 all do
    mask = row if q.is_cpu and q.dtype != torch.float64 else row.to(q.dtype)
    return scaled_dot_product_attention(q, k, v, attn_mask=mask)


def _read_by_loops(q: Tensor, k: Tensor, v: Tensor, row: Tensor, module: ModuleType) -> Tensor:
    computed = torch.promote_types(q.dtype, torch.float32)
    scores = module.products(q, k, computed).mul_(q.shape[-1] ** -0.5).add_(row)
    nowhere = scores.amax(-1, keepdim=True) == -torch.inf  # no key may be read: 0, not NaN
    return module.weighted_sum(scores.softmax(-1), v).masked_fill_(nowhere, 0.0)


def _checked(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    """Return the row of bias as (B, H, 1, Lk), or say what disagrees."""
    require_queries_and_keys(q, k)
    require_tensors(v=v)
    if q.shape[2] != 1:
        raise ValueError(f"q must hold one query, (B, H, 1, D), got {tuple(q.shape)}")
    if v.dim() != 4 or v.shape[:3] != k.shape[:3]:
        raise ValueError(f"v must be (B, H, Lk, Dv) like k {tuple(k.shape)}, got {tuple(v.shape)}")
    if v.dtype != q.dtype:
        raise TypeError(f"q, k and v must have one dtype, got {q.dtype} and {v.dtype}")
    whole = (*q.shape[:3], k.shape[2])
    row = checked_bias(bias, whole).expand(whole)
    if row.dtype not in (torch.float32, q.dtype):
        raise TypeError(f"bias must be float32 or {q.dtype} like q, got {row.dtype}")
    return row
