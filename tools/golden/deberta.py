"""What transformers answers for DeBERTa's scores and buckets; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import DebertaConfig, DebertaV2Config
from transformers.models.deberta import modeling_deberta as v1
from transformers.models.deberta_v2 import modeling_deberta_v2 as v2


def deberta_v1() -> Iterator[dict[str, Any]]:
    """Distances clipped at ±4; `values` are the weights."""
    for heads, terms in ((1, ["c2p", "p2c"]), (3, ["c2p", "p2c"]), (2, ["c2p"]), (2, ["p2c"])):
        config = DebertaConfig(
            hidden_size=4 * heads,
            num_attention_heads=heads,
            relative_attention=True,
            max_relative_positions=4,
            pos_att_type=terms,
        )
        module = v1.DisentangledSelfAttention(config).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight)
        x, relative = torch.randn(1, 7, 4 * heads), torch.randn(8, 4 * heads)
        at = v1.build_relative_position(x, x)
        # the span is the text's length while it is shorter than max_relative_positions
        with torch.no_grad():
            _, weights = module(x, torch.ones(1, 1, 7, 7), True, None, at, relative)
            q, k, _ = module.transpose_for_scores(module.in_proj(x)).chunk(3, dim=-1)
            q = q + module.transpose_for_scores(module.q_bias[None, None])
            tables = [
                projection(relative).unflatten(-1, (heads, 4)).transpose(0, 1)
                if projection
                else torch.zeros(heads, 8, 4)
                for projection in (getattr(module, n, None) for n in ("pos_q_proj", "pos_proj"))
            ]
        yield {
            "terms": terms,
            "q": q.tolist(),
            "k": k.tolist(),
            "relative_q": tables[0].tolist(),
            "relative_k": tables[1].tolist(),
            "values": weights.tolist(),
        }


def deberta_v2() -> Iterator[dict[str, Any]]:
    """Distances in log buckets; `values` are the weights."""
    for heads, buckets, longest in ((1, 4, 16), (3, 8, 32)):
        config = DebertaV2Config(
            hidden_size=4 * heads,
            num_attention_heads=heads,
            relative_attention=True,
            position_buckets=buckets,
            max_relative_positions=longest,
            pos_att_type=["c2p", "p2c"],
        )
        module = v2.DisentangledSelfAttention(config).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight)
        x, relative = torch.randn(1, 20, 4 * heads), torch.randn(2 * buckets, 4 * heads)
        at = v2.build_relative_position(x, x, bucket_size=buckets, max_position=longest)

        def split(projected: torch.Tensor, heads: int = heads) -> list[Any]:
            return projected.unflatten(-1, (heads, 4)).movedim(-2, -3).tolist()

        with torch.no_grad():
            _, weights = module(x, torch.ones(1, 1, 20, 20), True, None, at, relative)
            yield {
                "max_distance": longest,
                "q": split(module.query_proj(x)),
                "k": split(module.key_proj(x)),
                "relative_q": split(module.pos_query_proj(relative)),
                "relative_k": split(module.pos_key_proj(relative)),
                "values": weights.tolist(),
            }


def deberta_bucket() -> Iterator[dict[str, Any]]:
    """The bucket of each distance; far ones too."""
    distance = [*range(-600, 601, 3), *range(-20, 21), -131072, 131072]
    for buckets, longest in ((256, 512), (32, 128), (8, 64)):
        found = v2.make_log_bucket_position(torch.tensor(distance), buckets, longest)
        yield {
            "distance": distance,
            "buckets": buckets,
            "max_distance": longest,
            "values": found.long().tolist(),
        }


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "deberta: DisentangledSelfAttention(config).eval()(x, mask, True, None, "
        "build_relative_position(x, x), rel_embeddings)[1]",
        deberta_v1,
    ),
    (
        "transformers",
        "deberta_v2: DisentangledSelfAttention(config).eval()(x, mask, True, None, "
        "build_relative_position(x, x, bucket_size, max_position), rel_embeddings)[1]",
        deberta_v2,
    ),
    (
        "transformers",
        "make_log_bucket_position(distance, buckets, max_distance)",
        deberta_bucket,
    ),
]
