"""A golden case from an upstream attention module: q, k, its tables, and its attention weights.

Numbers are drawn by the caller: the values depend on the order of the draws. score.py and
relative.py use these functions in one environment, old.py and old_relative.py in another, so only
torch is imported here.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot


def shaw_case(module: nn.Module, x: Tensor, heads: int) -> dict[str, Any]:
    """Return a case of Wav2Vec2BertSelfAttention; x is (B, L, H·D)."""
    with torch.no_grad():
        _, weights = module(x, output_attentions=True)
        q, k = (
            linear(x).unflatten(-1, (heads, -1)).transpose(1, 2)
            for linear in (module.linear_q, module.linear_k)
        )
    table = module.distance_embedding.weight
    return {"q": q.tolist(), "k": k.tolist(), "table": table.tolist(), "values": weights.tolist()}


def bert_case(module: nn.Module, x: Tensor, variant: str) -> dict[str, Any]:
    """Return a case of BertSelfAttention; x is (B, L, H·D)."""
    with torch.no_grad():
        _, weights = module(x, output_attentions=True)
        q, k = (module.transpose_for_scores(f(x)) for f in (module.query, module.key))
    return {
        "variant": variant,
        "q": q.tolist(),
        "k": k.tolist(),
        "table": module.distance_embedding.weight.tolist(),
        "values": weights.tolist(),
    }


def transformer_xl_case(module: nn.Module, x: Tensor, past: Tensor, r: Tensor) -> dict[str, Any]:
    """Return a causal case of RelPartialLearnableMultiHeadAttn; x (Lq, B, d), past (memory, B, d).

    r is upstream's sinusoid of the distances Lk - 1 … 0.
    """
    memory, queries, size = len(past), len(x), (module.n_head, module.d_head)
    ahead = torch.ones(queries, queries + memory).triu(1 + memory).bool()[:, :, None]
    with torch.no_grad():
        _, weights = module(x, r, ahead, past if memory else None, output_attentions=True)
        q, k, _ = module.qkv_net(torch.cat((past, x))).chunk(3, dim=-1)
    return {
        "memory": memory,
        "q": q[memory:].unflatten(-1, size).permute(1, 2, 0, 3).tolist(),
        "k": k.unflatten(-1, size).permute(1, 2, 0, 3).tolist(),
        "u": module.r_w_bias.tolist(),
        "v": module.r_r_bias.tolist(),
        "weight": module.r_net.weight.tolist(),
        "values": weights.permute(2, 3, 0, 1).tolist(),
    }


def xlnet_case(
    module: nn.Module,
    q: Tensor,
    k: Tensor,
    k_r: Tensor,
    other: Tensor,
    weight: Tensor,
    mask: Tensor | None = None,
) -> dict[str, Any]:
    """Return a case of XLNetRelativeAttention; q (Lq, B, H, D), k (Lk, B, H, D), k_r projected R.

    other: true where the segments differ, (Lq, Lk) or (B, Lq, Lk). weight: W, which gave k_r.
    mask: 1 where a query may not attend, (Lq, Lk, B, H).
    """
    by_text = other.view(-1, len(q), len(k)).permute(1, 2, 0)  # (Lq, Lk, B)
    segments = one_hot(by_text.long(), 2).to(q.dtype)
    with torch.no_grad():
        _, weights = module.rel_attn_core(q, k, k, k_r, segments, mask, output_attentions=True)
    return {
        "q": q.permute(1, 2, 0, 3).tolist(),
        "k": k.permute(1, 2, 0, 3).tolist(),
        "memory": len(k) - len(q),
        "other_segment": other.tolist(),
        "u": module.r_w_bias.tolist(),
        "v": module.r_r_bias.tolist(),
        "weight": weight.tolist(),
        "segment_bias": module.r_s_bias.tolist(),
        "segment_embedding": module.seg_embed.tolist(),
        "values": weights.permute(2, 3, 0, 1).tolist(),
    }
