"""What transformers answers for DeBERTa's scores and buckets; __main__.py says how to run this.

Files named _heads are in float64, of 71 and 112 heads, far apart, and with padding.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from transformers import DebertaConfig, DebertaV2Config
from transformers.models.deberta import modeling_deberta as v1
from transformers.models.deberta_v2 import modeling_deberta_v2 as v2

CONFIG = {v1: DebertaConfig, v2: DebertaV2Config}
BOTH = ["c2p", "p2c"]
NEAR, FAR = [0, 1, 2], [3, 0, 131_071]  # positions: a text as upstream has it, and any other
EXACT = {"dtype": torch.float64}


def attention(
    version: ModuleType, heads: int, size: int, span: int, *, exact: bool = False, **more: Any
) -> nn.Module:
    """Return upstream's attention with weights drawn here; exact: in float64, from small ones."""
    shape = {"hidden_size": size * heads, "num_attention_heads": heads}
    relative = {"relative_attention": True, "max_relative_positions": span, "pos_att_type": BOTH}
    module = version.DisentangledSelfAttention(CONFIG[version](**{**shape, **relative, **more}))
    module = module.eval().to(torch.float64 if exact else torch.float32)
    for weight in module.parameters():
        nn.init.normal_(weight, std=0.15 if exact else 1.0)
    return module


def by_head(projected: Tensor, heads: int) -> list[Any]:
    """(…, L, H·D) as (…, H, L, D)."""
    return projected.unflatten(-1, (heads, -1)).movedim(-2, -3).tolist()


def distances(at: list[int]) -> Tensor:
    """i - j of tokens at these positions, (1, L, L)."""
    return (torch.tensor(at)[:, None] - torch.tensor(at))[None]


@torch.no_grad()
def v1_case(module: nn.Module, x: Tensor, at: Tensor, mask: Tensor, r: Tensor) -> dict[str, Any]:
    """Return q, k, tables and weights; x (1, L, H·D), r (rows, H·D)."""
    heads, split = module.num_attention_heads, module.transpose_for_scores
    _, weights = module(x, mask, True, None, at, r)
    q, k, _ = split(module.in_proj(x)).chunk(3, dim=-1)
    tables = (
        by_head(projection(r) if projection else torch.zeros_like(r), heads)
        for projection in (getattr(module, name, None) for name in ("pos_q_proj", "pos_proj"))
    )
    parts = ((q + split(module.q_bias[None, None])).tolist(), k.tolist(), *tables, weights.tolist())
    return dict(zip(("q", "k", "relative_q", "relative_k", "values"), parts, strict=True))


@torch.no_grad()
def v2_case(module: nn.Module, x: Tensor, at: Tensor, mask: Tensor, r: Tensor) -> dict[str, Any]:
    """Return the same of the second version."""
    heads = module.num_attention_heads
    _, weights = module(x, mask, True, None, at, r)
    return {
        "q": by_head(module.query_proj(x), heads),
        "k": by_head(module.key_proj(x), heads),
        "relative_q": by_head(module.pos_query_proj(r), heads),
        "relative_k": by_head(module.pos_key_proj(r), heads),
        "values": weights.view(1, heads, *mask.shape[-2:]).tolist(),
    }


def deberta_v1() -> Iterator[dict[str, Any]]:
    """Distances clipped at ±4; `values` are the weights."""
    for heads, terms in ((1, BOTH), (3, BOTH), (2, ["c2p"]), (2, ["p2c"])):
        module = attention(v1, heads, 4, 4, pos_att_type=terms)
        x, r = torch.randn(1, 7, 4 * heads), torch.randn(8, 4 * heads)
        at, mask = v1.build_relative_position(x, x), torch.ones(1, 1, 7, 7)
        # the span is the text's length while it is shorter than max_relative_positions
        yield {"terms": terms, **v1_case(module, x, at, mask, r)}


def deberta_v2() -> Iterator[dict[str, Any]]:
    """Distances in log buckets; `values` are the weights."""
    for heads, buckets, longest in ((1, 4, 16), (3, 8, 32)):
        module = attention(v2, heads, 4, longest, position_buckets=buckets)
        x, r = torch.randn(1, 20, 4 * heads), torch.randn(2 * buckets, 4 * heads)
        at = v2.build_relative_position(x, x, bucket_size=buckets, max_position=longest)
        yield {"max_distance": longest, **v2_case(module, x, at, torch.ones(1, 1, 20, 20), r)}


def deberta_v1_heads() -> Iterator[dict[str, Any]]:
    """Distances clipped at ±2; the last token of the last case is padding; `values` are weights."""
    for heads, size, at, tokens in ((112, 1, FAR, 3), (71, 1, NEAR, 2)):
        module = attention(v1, heads, size, 2, exact=True)
        x, r = (torch.randn(n, size * heads, **EXACT) for n in (3, 4))
        mask = (torch.arange(3) < tokens).expand(1, 1, 3, 3)
        case = v1_case(module, x[None], distances(at), mask, r)
        yield {"positions": at, "tokens": tokens, **case}


def deberta_v2_heads() -> Iterator[dict[str, Any]]:
    """Distances in log buckets, far ones too; padding as in deberta_v1_heads."""
    for heads, size, at, tokens in ((71, 1, FAR, 3), (3, 4, FAR, 3), (112, 1, NEAR, 2)):
        module = attention(v2, heads, size, 16, exact=True, position_buckets=4)
        x, r = (torch.randn(n, size * heads, **EXACT) for n in (3, 8))
        bucket = v2.make_log_bucket_position(distances(at), 4, 16).long()
        mask = (torch.arange(3) < tokens).expand(1, 1, 3, 3)
        case = v2_case(module, x[None], bucket, mask, r)
        yield {"positions": at, "tokens": tokens, "max_distance": 16, **case}


def deberta_bucket() -> Iterator[dict[str, Any]]:
    """The bucket of each distance; far ones too."""
    distance = [*range(-600, 601, 3), *range(-20, 21), -131072, 131072]
    for buckets, longest in ((256, 512), (32, 128), (8, 64)):
        values = v2.make_log_bucket_position(torch.tensor(distance), buckets, longest)
        yield {
            "distance": distance,
            "buckets": buckets,
            "max_distance": longest,
            "values": values.long().tolist(),
        }


def call(version: str, at: str, double: str = "") -> str:
    """Return the call of a version's attention, its distances or buckets `at`."""
    module = f"{version}: DisentangledSelfAttention(config).eval(){double}"
    return f"{module}(x, mask, True, None, {at}, rel_embeddings)[1]"


SPAN, BUCKETS, DOUBLE = "bucket_size, max_position", "make_log_bucket_position", ".double()"
GOLDENS = [  # library, call, cases
    ("transformers", call("deberta", "build_relative_position(x, x)"), deberta_v1),
    ("transformers", call("deberta_v2", f"build_relative_position(x, x, {SPAN})"), deberta_v2),
    ("transformers", call("deberta", "distances", DOUBLE), deberta_v1_heads),
    ("transformers", call("deberta_v2", f"{BUCKETS}(distances, 4, 16)", DOUBLE), deberta_v2_heads),
    ("transformers", f"{BUCKETS}(distance, buckets, max_distance)", deberta_bucket),
]
