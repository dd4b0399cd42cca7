"""XLNet, Yang et al. 2019, §2.4-2.5: Transformer-XL's four terms in both directions, and segments.

Whether two tokens lie in the same segment is one more relative fact: each head has a vector s_+ for
"same", s_- for "other", and adds (q_i + b)·s_{ij} / √D. Which segment it is does not matter.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.tensors import require_floats, require_tensors
from posenc_ref.transformer_xl import transformer_xl_terms


def xlnet_scores(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    u: Tensor,
    v: Tensor,
    weight: Tensor,
    *,
    same_segment: Tensor,
    segment_bias: Tensor,
    segment_embedding: Tensor,
) -> Tensor:
    """Return the scores (B, H, Lq, Lk) with the segment term.

        (q_i·k_j + q_i·W R_{i-j} + u·k_j + v·W R_{i-j} + (q_i + b)·s_ij) / √D

    same_segment: boolean (B, Lq, Lk). segment_bias: b, (H, D). segment_embedding: (2, H, D), row 0
    for the same segment, row 1 for another. The rest as `transformer_xl_terms`.

    Source: Yang et al. 2019, §2.4-2.5; `rel_attn_core` in zihangdai/xlnet.
    Raises:
        TypeError: same_segment is not boolean, the segments' weights are not of floats; as
            `transformer_xl_terms`.
        ValueError: shapes disagree.
    Example:
        >>> from posenc_ref import positions, xlnet_scores
        >>> q, b, at = torch.zeros(1, 1, 2, 4), torch.ones(1, 4), positions(2)
        >>> s = torch.stack((torch.ones(1, 4), -torch.ones(1, 4)))
        >>> same = torch.tensor([[[True, False], [False, True]]])
        >>> segments = {"same_segment": same, "segment_bias": b, "segment_embedding": s}
        >>> xlnet_scores(q, q, at, at, 0 * b, 0 * b, torch.zeros(4, 4), **segments).tolist()
        [[[[2.0, -2.0], [-2.0, 2.0]]]]
    """
    terms = transformer_xl_terms(q, k, q_positions, k_positions, u, v, weight)
    batch, heads, queries, dim = q.shape
    require_tensors(same_segment=same_segment)
    require_floats(segment_bias=segment_bias, segment_embedding=segment_embedding)
    if same_segment.dtype != torch.bool:
        raise TypeError(f"same_segment must be boolean, got {same_segment.dtype}")
    inputs = {
        "same_segment": (same_segment, (batch, queries, k.shape[2])),
        "segment_bias": (segment_bias, (heads, dim)),
        "segment_embedding": (segment_embedding, (2, heads, dim)),
    }
    for name, (tensor, shape) in inputs.items():
        if tuple(tensor.shape) != shape:
            raise ValueError(f"{name} must be {shape}, got {tuple(tensor.shape)}")
    queries = (q + segment_bias[:, None].to(q.dtype)) * dim**-0.5  # (B, H, Lq, D)
    same, other = torch.einsum("bhid,shd->sbhi", queries, segment_embedding.to(q.dtype))
    segments = torch.where(same_segment[:, None], same[..., None], other[..., None])
    return sum(terms) + segments
