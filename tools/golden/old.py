"""Rebuild the golden files whose upstream is gone from today's transformers; see __main__.py.

python3.11 -m venv build/golden_old
build/golden_old/bin/python -m pip install torch==2.13.0
build/golden_old/bin/python -m pip install transformers==4.38.2
build/golden_old/bin/python -m tools.golden.old          all, or the files that you name
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

from tools.golden import old_relative
from tools.golden.attention import bert_case, transformer_xl_case
from tools.golden.write import write_all


def bert_relative() -> Iterator[dict[str, Any]]:
    """Both variants; `values` are the weights of two texts of 6 tokens."""
    for variant, heads in (("key", 1), ("key_query", 3)):
        config = BertConfig(
            hidden_size=4 * heads,
            num_attention_heads=heads,
            max_position_embeddings=7,
            position_embedding_type=f"relative_{variant}",
        )
        module = BertSelfAttention(config).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight, std=0.5)
        x = torch.randn(2, 6, 4 * heads)
        yield bert_case(module, x, variant)


def transformer_xl() -> Iterator[dict[str, Any]]:
    """Causal, with and without memory; `values` are the weights."""
    for heads, queries, memory in ((1, 4, 0), (3, 5, 2)):
        dim, keys = 4 * heads, queries + memory
        module = RelPartialLearnableMultiHeadAttn(
            heads, dim, 4, 0.0, r_r_bias=torch.randn(heads, 4), r_w_bias=torch.randn(heads, 4)
        ).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight)
        x, past = torch.randn(queries, 1, dim), torch.randn(memory, 1, dim)
        r = PositionalEmbedding(dim)(torch.arange(keys - 1, -1, -1.0))
        yield transformer_xl_case(module, x, past, r)


def rel_shift() -> Iterator[dict[str, Any]]:
    """What the trick makes of numbered entries, garbage included."""
    module = RelPartialLearnableMultiHeadAttn(1, 4, 4, 0.0)
    for queries, keys in ((3, 3), (2, 5)):
        x = torch.arange(1.0, queries * keys + 1).view(queries, keys)
        values = module._rel_shift(x[:, :, None, None])[:, :, 0, 0]
        yield {"x": x.tolist(), "values": values.tolist()}


def kv_cache_sinks() -> Iterator[dict[str, Any]]:
    """Keys rotated at min(t, window - 1) come one by one; `values` are all keys after each."""
    for heads, sinks, window in ((1, 2, 6), (3, 1, 4)):
        keys, cache, values = torch.randn(1, heads, 12, 8), SinkCache(window, sinks), []
        tables = LlamaRotaryEmbedding(8)(keys, torch.arange(window)[None])
        cos, sin = (table[0] for table in tables)
        for t in range(12):
            key, at = keys[:, :, t : t + 1], min(t, window - 1)
            turned = key * cos[at] + rotate_half(key) * sin[at]
            values.append(cache.update(turned, turned, 0, {"cos": cos, "sin": sin})[0].tolist())
        yield {"sinks": sinks, "window": window, "keys": keys.tolist(), "values": values}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "BertSelfAttention(config).eval()(x, output_attentions=True)[1]",
        bert_relative,
    ),
    (
        "transformers",
        "RelPartialLearnableMultiHeadAttn(heads, dim, 4, 0.0).eval()(x, r, ahead, past, "
        "output_attentions=True)[1]",
        transformer_xl,
    ),
    (
        "transformers",
        "RelPartialLearnableMultiHeadAttn(1, 4, 4, 0.0)._rel_shift(x[:, :, None, None])",
        rel_shift,
    ),
    (
        "transformers",
        "SinkCache(window, sinks).update(turned, turned, 0, {'cos': cos, 'sin': sin})[0]",
        kv_cache_sinks,
    ),
]

if __name__ == "__main__":
    write_all([*GOLDENS, *old_relative.GOLDENS])
