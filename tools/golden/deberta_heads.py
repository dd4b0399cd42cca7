"""What transformers answers for DeBERTa with 71 and 112 heads and far apart, in float64.

deberta.py has few heads and near tokens; __main__.py says how to run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from transformers import DebertaConfig, DebertaV2Config
from transformers.models.deberta import modeling_deberta as v1
from transformers.models.deberta_v2 import modeling_deberta_v2 as v2

SPAN = 2  # rows of a table are 2 · SPAN
NEAR, FAR = [0, 1, 2], [3, 0, 131_071]  # positions: a text as upstream has it, and any other
EXACT = {"dtype": torch.float64}


def by_head(projected: Tensor, heads: int) -> Tensor:
    """(…, L, H·D) as (…, H, L, D)."""
    return projected.unflatten(-1, (heads, -1)).movedim(-2, -3)


def distances(at: list[int]) -> Tensor:
    """i - j of tokens at these positions, (1, L, L)."""
    return (torch.tensor(at)[:, None] - torch.tensor(at))[None]


def deberta_v1_heads() -> Iterator[dict[str, Any]]:
    """Distances clipped at ±2; the last token of the last case is padding; `values` are weights."""
    for heads, size, at, tokens in ((112, 1, FAR, 3), (71, 1, NEAR, 2)):
        config = DebertaConfig(
            hidden_size=size * heads,
            num_attention_heads=heads,
            relative_attention=True,
            max_relative_positions=SPAN,
            pos_att_type=["c2p", "p2c"],
        )
        module = v1.DisentangledSelfAttention(config).eval().double()
        for weight in module.parameters():
            torch.nn.init.normal_(weight, std=0.15)
        x, relative = (torch.randn(n, size * heads, **EXACT) for n in (3, 4))
        mask = (torch.arange(3) < tokens).expand(1, 1, 3, 3)
        with torch.no_grad():
            _, weights = module(x[None], mask, True, None, distances(at), relative)
            q, k, _ = module.transpose_for_scores(module.in_proj(x[None])).chunk(3, dim=-1)
            q = q + module.transpose_for_scores(module.q_bias[None, None])
            yield {
                "positions": at,
                "tokens": tokens,
                "q": q.tolist(),
                "k": k.tolist(),
                "relative_q": by_head(module.pos_q_proj(relative), heads).tolist(),
                "relative_k": by_head(module.pos_proj(relative), heads).tolist(),
                "values": weights.tolist(),
            }


def deberta_v2_heads() -> Iterator[dict[str, Any]]:
    """Distances in log buckets, far ones too; padding as in deberta_v1_heads."""
    for heads, size, at, tokens in ((71, 1, FAR, 3), (3, 4, FAR, 3), (112, 1, NEAR, 2)):
        config = DebertaV2Config(
            hidden_size=size * heads,
            num_attention_heads=heads,
            relative_attention=True,
            position_buckets=4,
            max_relative_positions=16,
            pos_att_type=["c2p", "p2c"],
        )
        module = v2.DisentangledSelfAttention(config).eval().double()
        for weight in module.parameters():
            torch.nn.init.normal_(weight, std=0.15)
        x, relative = (torch.randn(n, size * heads, **EXACT) for n in (3, 8))
        bucket = v2.make_log_bucket_position(distances(at), 4, 16).long()
        mask = (torch.arange(3) < tokens).expand(1, 1, 3, 3)
        with torch.no_grad():
            _, weights = module(x[None], mask, True, None, bucket, relative)
            yield {
                "positions": at,
                "tokens": tokens,
                "max_distance": 16,
                "q": by_head(module.query_proj(x[None]), heads).tolist(),
                "k": by_head(module.key_proj(x[None]), heads).tolist(),
                "relative_q": by_head(module.pos_query_proj(relative), heads).tolist(),
                "relative_k": by_head(module.pos_key_proj(relative), heads).tolist(),
                "values": weights.view(1, heads, 3, 3).tolist(),
            }


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "deberta: DisentangledSelfAttention(config).eval().double()(x, mask, True, None, "
        "distances, rel_embeddings)[1]",
        deberta_v1_heads,
    ),
    (
        "transformers",
        "deberta_v2: DisentangledSelfAttention(config).eval().double()(x, mask, True, None, "
        "make_log_bucket_position(distances, 4, 16), rel_embeddings)[1]",
        deberta_v2_heads,
    ),
]
