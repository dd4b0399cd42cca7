"""What transformers 4 answers for scores by position with many heads.

golden_old.py has few heads, and says how to run this; golden_relative.py says what many are for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertSelfAttention
from transformers.models.deprecated.transfo_xl.modeling_transfo_xl import (
    PositionalEmbedding,
    RelPartialLearnableMultiHeadAttn,
)


def bert_relative_heads() -> Iterator[dict[str, Any]]:
    """Both variants; the text is as long as the table allows. `values` are the weights."""
    for variant, heads, size, length in (
        ("key", 12, 4, 5),
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
        with torch.no_grad():
            _, weights = module(x, output_attentions=True)
            q, k = (module.transpose_for_scores(f(x)) for f in (module.query, module.key))
        yield {
            "variant": variant,
            "q": q.tolist(),
            "k": k.tolist(),
            "table": module.distance_embedding.weight.tolist(),
            "values": weights.tolist(),
        }


def transformer_xl_heads() -> Iterator[dict[str, Any]]:
    """Causal, one or two texts, float32 (upstream casts); `values` are the weights."""
    for texts, heads, size, width, queries, memory in (
        (1, 12, 4, 6, 4, 0),
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
        ahead = torch.ones(queries, keys).triu(1 + memory).bool()[:, :, None]
        with torch.no_grad():
            _, weights = module(x, r, ahead, past if memory else None, output_attentions=True)
            q, k, _ = module.qkv_net(torch.cat((past, x))).chunk(3, dim=-1)
        yield {
            "memory": memory,
            "q": q[memory:].unflatten(-1, (heads, size)).permute(1, 2, 0, 3).tolist(),
            "k": k.unflatten(-1, (heads, size)).permute(1, 2, 0, 3).tolist(),
            "u": module.r_w_bias.tolist(),
            "v": module.r_r_bias.tolist(),
            "weight": module.r_net.weight.tolist(),
            "values": weights.permute(2, 3, 0, 1).tolist(),
        }


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
]
