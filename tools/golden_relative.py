"""What upstream answers for scores by position with many heads, in float64.

golden_score.py has few heads in float32. More heads than their size (71 heads of 2) tell
a swap of the two apart, and float64 leaves no room for a small wrong term. golden.py says how to
run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import Wav2Vec2BertConfig, XLNetConfig
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import Wav2Vec2BertSelfAttention
from transformers.models.xlnet.modeling_xlnet import XLNetModel, XLNetRelativeAttention


def shaw_heads() -> Iterator[dict[str, Any]]:
    """Keys only, clipped at 2 tokens on either side; `values` are the weights."""
    for heads, size, length in ((12, 4, 6), (71, 2, 4)):
        config = Wav2Vec2BertConfig(
            hidden_size=size * heads,
            num_attention_heads=heads,
            position_embeddings_type="relative_key",
            left_max_position_embeddings=2,
            right_max_position_embeddings=2,
        )
        module = Wav2Vec2BertSelfAttention(config).eval().double()
        torch.nn.init.normal_(module.distance_embedding.weight)
        x = torch.randn(1, length, size * heads, dtype=torch.float64)
        with torch.no_grad():
            _, weights = module(x, output_attentions=True)
            q, k = (
                linear(x).unflatten(-1, (heads, size)).transpose(1, 2)
                for linear in (module.linear_q, module.linear_k)
            )
        yield {
            "q": q.tolist(),
            "k": k.tolist(),
            "table": module.distance_embedding.weight.tolist(),
            "values": weights.tolist(),
        }


def xlnet_heads() -> Iterator[dict[str, Any]]:
    """One or two texts with memory, W of any width d; `values` are the weights.

    R is upstream's in float32, from an XLNetModel with d_model = d; upstream's own d_model is H·D.
    """
    for texts, heads, size, width, queries, memory in ((2, 12, 4, 6, 3, 1), (1, 71, 2, 4, 2, 1)):
        config = XLNetConfig(d_model=size * heads, n_head=heads, n_layer=1, vocab_size=8)
        module = XLNetRelativeAttention(config).eval().double()
        for weight in module.parameters():
            torch.nn.init.normal_(weight)
        keys = queries + memory
        exact = {"dtype": torch.float64}
        q = torch.randn(
            queries, texts, heads, size, **exact
        )  # XLNet: length, batch, heads, head size
        k = torch.randn(keys, texts, heads, size, **exact)
        w = torch.randn(heads * size, width, **exact)
        narrow = XLNetModel(XLNetConfig(d_model=width, n_head=1, n_layer=1, vocab_size=8))
        r = narrow.relative_positional_encoding(queries, keys, bsz=texts).double()
        k_r = (r @ w.T).unflatten(-1, (heads, size))
        other = torch.rand(texts, queries, keys) < 0.5
        matrix = torch.nn.functional.one_hot(other.long(), 2).double().permute(1, 2, 0, 3)
        with torch.no_grad():
            _, weights = module.rel_attn_core(q, k, k, k_r, matrix, output_attentions=True)
        yield {
            "q": q.permute(1, 2, 0, 3).tolist(),
            "k": k.permute(1, 2, 0, 3).tolist(),
            "memory": memory,
            "other_segment": other.tolist(),
            "u": module.r_w_bias.tolist(),
            "v": module.r_r_bias.tolist(),
            "weight": w.tolist(),
            "segment_bias": module.r_s_bias.tolist(),
            "segment_embedding": module.seg_embed.tolist(),
            "values": weights.permute(2, 3, 0, 1).tolist(),
        }


def rel_shift_xlnet() -> Iterator[dict[str, Any]]:
    """What the trick makes of numbered entries."""
    for queries, keys in ((1, 1), (3, 3), (2, 5)):
        x = torch.arange(1.0, queries * (keys + queries) + 1).view(queries, keys + queries)
        values = XLNetRelativeAttention.rel_shift_bnij(x[None, None], klen=keys)[0, 0]
        yield {"keys": keys, "x": x.tolist(), "values": values.tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "Wav2Vec2BertSelfAttention(config).eval().double()(x, output_attentions=True)[1]",
        shaw_heads,
    ),
    (
        "transformers",
        "XLNetRelativeAttention(config).eval().double().rel_attn_core(q, k, k, k_r, seg_mat, "
        "output_attentions=True)[1]",
        xlnet_heads,
    ),
    (
        "transformers",
        "XLNetRelativeAttention.rel_shift_bnij(x[None, None], klen=keys)[0, 0]",
        rel_shift_xlnet,
    ),
]
