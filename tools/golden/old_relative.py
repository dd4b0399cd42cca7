"""What transformers 4 answers for scores by position with many heads.

old.py has few heads, and says how to run this; relative.py says why many heads are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import BertConfig, SinkCache
from transformers.models.bert.modeling_bert import BertSelfAttention
from transformers.models.deprecated.transfo_xl.modeling_transfo_xl import (
    PositionalEmbedding,
    RelPartialLearnableMultiHeadAttn,
)
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, rotate_half

from tools.golden.attention import bert_case, transformer_xl_case


def bert_relative_heads() -> Iterator[dict[str, Any]]:
    """Both variants; the text is as long as the table allows. `values` are the weights."""
    for variant, heads, size, length in (
        ("key", 112, 2, 3),
        ("key_query", 12, 4, 5),
        ("key_query", 71, 2, 3),
    ):
        config = BertConfig(
            hidden_size=size * heads,
            num_attention_heads=heads,
            max_position_embeddings=length,
            position_embedding_type=f"relative_{variant}",
        )
        module = BertSelfAttention(config).eval().double()
        for weight in module.parameters():
            torch.nn.init.normal_(weight, std=0.15)  # scores of 16 bits stay comparable
        torch.nn.init.normal_(module.distance_embedding.weight)
        x = torch.randn(1, length, size * heads, dtype=torch.float64)
        yield bert_case(module, x, variant)


def transformer_xl_heads() -> Iterator[dict[str, Any]]:
    """Causal, one or two texts, float32 (upstream casts); `values` are the weights."""
    for texts, heads, size, width, queries, memory in (
        (1, 112, 2, 4, 2, 0),
        (2, 12, 4, 6, 3, 2),
        (1, 71, 2, 4, 2, 1),
    ):
        keys, (u, v) = queries + memory, torch.randn(2, heads, size)
        module = RelPartialLearnableMultiHeadAttn(
            heads, width, size, 0.0, r_r_bias=v, r_w_bias=u
        ).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight, std=0.5)
        x, past = (torch.randn(length, texts, width) for length in (queries, memory))
        r = PositionalEmbedding(width)(torch.arange(keys - 1, -1, -1.0))
        yield transformer_xl_case(module, x, past, r)


def transformer_xl_far() -> Iterator[dict[str, Any]]:
    """As transformer_xl, distances greater by `ahead`, R in float32; `values` are the weights."""
    for heads, size, ahead in ((1, 4, 1000), (3, 4, 131_071)):
        queries, memory, width = 3, 1, 6
        keys, (u, v) = queries + memory, torch.randn(2, heads, size)
        module = RelPartialLearnableMultiHeadAttn(
            heads, width, size, 0.0, r_r_bias=v, r_w_bias=u
        ).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight, std=0.5)
        x, past = (torch.randn(length, 1, width) for length in (queries, memory))
        r = PositionalEmbedding(width)(ahead + torch.arange(keys - 1, -1, -1.0))
        yield {"ahead": ahead} | transformer_xl_case(module, x, past, r)


def kv_cache_sinks_heads() -> Iterator[dict[str, Any]]:
    """As kv_cache_sinks, keys in float64, turned in float32; `values` are those after the sixth."""
    for heads, sinks, window in ((71, 1, 3), (112, 2, 4)):
        keys = torch.randn(1, heads, 6, 2, dtype=torch.float64)
        cos, sin = (table[0] for table in LlamaRotaryEmbedding(2)(keys, torch.arange(window)[None]))
        cache = SinkCache(window, sinks)
        for t in range(6):
            key, at = keys[:, :, t : t + 1], min(t, window - 1)
            turned = key * cos[at] + rotate_half(key) * sin[at]
            stored = cache.update(turned, turned, 0, {"cos": cos, "sin": sin})[0]
        yield {"sinks": sinks, "window": window, "keys": keys.tolist(), "values": stored.tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "BertSelfAttention(config).eval().double()(x, output_attentions=True)[1]",
        bert_relative_heads,
    ),
    (
        "transformers",
        "RelPartialLearnableMultiHeadAttn(heads, width, size, 0.0, r_r_bias=v, r_w_bias=u).eval()"
        "(x, r, ahead, past, output_attentions=True)[1]",
        transformer_xl_heads,
    ),
    (
        "transformers",
        "RelPartialLearnableMultiHeadAttn(heads, width, size, 0.0, r_r_bias=v, r_w_bias=u).eval()"
        "(x, PositionalEmbedding(width)(ahead + distances), mask, past, output_attentions=True)[1]",
        transformer_xl_far,
    ),
    (
        "transformers",
        "SinkCache(window, sinks).update(turned, turned, 0, {'cos': cos, 'sin': sin})[0]",
        kv_cache_sinks_heads,
    ),
]
