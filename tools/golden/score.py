"""What upstream libraries answer for scores by position; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import Wav2Vec2BertConfig, XLNetConfig
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import Wav2Vec2BertSelfAttention
from transformers.models.xlnet.modeling_xlnet import XLNetModel, XLNetRelativeAttention
from x_transformers.attend import Attend
from x_transformers.x_transformers import CoPE

from tools.golden.attention import shaw_case, xlnet_case


def shaw_wav2vec2_bert() -> Iterator[dict[str, Any]]:
    """Keys only, clipped at 3 tokens to the left and 3 to the right; `values` are the weights."""
    for heads, length in ((1, 4), (3, 9)):
        config = Wav2Vec2BertConfig(
            hidden_size=4 * heads,
            num_attention_heads=heads,
            position_embeddings_type="relative_key",
            left_max_position_embeddings=3,
            right_max_position_embeddings=3,
        )
        module = Wav2Vec2BertSelfAttention(config).eval()
        x = torch.randn(1, length, 4 * heads)
        yield shaw_case(module, x, heads)


def xlnet() -> Iterator[dict[str, Any]]:
    """Both directions, with memory and segments; `values` are the weights."""
    for heads, queries, memory in ((1, 4, 0), (3, 5, 2)):
        config = XLNetConfig(d_model=4 * heads, n_head=heads, n_layer=1, vocab_size=8)
        module = XLNetRelativeAttention(config).eval()
        for weight in module.parameters():
            torch.nn.init.normal_(weight)
        keys = queries + memory
        q = torch.randn(queries, 1, heads, 4)  # XLNet: length, batch, heads, head size
        k = torch.randn(keys, 1, heads, 4)
        r = XLNetModel(config).relative_positional_encoding(queries, keys, bsz=1)
        segment = torch.arange(keys) // 3
        other = segment[memory:, None] != segment  # (Lq, Lk)
        k_r = torch.einsum("ibh,hnd->ibnd", r, module.r.detach())
        yield xlnet_case(module, q, k, k_r, other, module.r.flatten(1).T)


def cope_x_transformers() -> Iterator[dict[str, Any]]:
    """The term alone, not divided; scores of keys ahead are closed before the sigmoid."""
    for heads, length, rows in ((1, 4, 3), (3, 6, 16)):
        module = CoPE(4, heads, rows)
        torch.nn.init.normal_(module.pos_emb)
        q, scores = torch.randn(1, heads, length, 4), torch.randn(1, heads, length, length)
        ahead = torch.ones(length, length).triu(1).bool()
        with torch.no_grad():
            values = module(q, scores.masked_fill(ahead, -torch.finfo(torch.float32).max))
        yield {
            "q": q.tolist(),
            "scores": scores.tolist(),
            "table": module.pos_emb.tolist(),
            "values": values.tolist(),
        }


def cope_x_transformers_far() -> Iterator[dict[str, Any]]:
    """The term of one query per head, float64, at some keys; a hundred is counted, to the first.

    Scores are `center` + 2 sin(0.7 n), n = 1, 2, … over heads and keys.
    """
    for heads, keys, center in ((3, 131072, -8.0), (112, 1024, -3.0)):
        module = CoPE(2, heads, 64).double()
        torch.nn.init.normal_(module.pos_emb)
        q, n = torch.randn(1, heads, 1, 2).double(), torch.arange(1, heads * keys + 1).double()
        scores = center + 2 * (0.7 * n).sin().view(1, heads, 1, keys)
        columns = [0, keys // 2, keys * 3 // 4, keys - 8, keys - 1]
        with torch.no_grad():
            values = module(q, scores)[..., columns]
        yield {
            "length": keys,
            "center": center,
            "keys": columns,
            "q": q.tolist(),
            "table": module.pos_emb.tolist(),
            "values": values.tolist(),
        }


def cope_attend_x_transformers() -> Iterator[dict[str, Any]]:
    """Whole weights, float64: the term is not divided by √D; the last case has left padding."""
    for heads, length, size, rows, padding in ((1, 5, 4, 3, 0), (71, 3, 2, 4, 0), (3, 6, 4, 9, 2)):
        cope = CoPE(size, heads, rows).double()
        torch.nn.init.normal_(cope.pos_emb)
        q, k = torch.randn(2, 1, heads, length, size, dtype=torch.float64)
        mask = torch.arange(length)[None] >= padding
        with torch.no_grad():
            _, outputs = Attend(causal=True, cope=cope)(q, k, k, mask=mask)
        yield {
            "mask": mask[0].tolist(),
            "q": q.tolist(),
            "k": k.tolist(),
            "table": cope.pos_emb.tolist(),
            "values": outputs.pre_softmax_attn.softmax(-1).tolist(),  # its own is in float32
        }


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "Wav2Vec2BertSelfAttention(config).eval()(x, output_attentions=True)[1]",
        shaw_wav2vec2_bert,
    ),
    (
        "transformers",
        "XLNetRelativeAttention(config).eval().rel_attn_core(q, k, k, k_r, seg_mat, "
        "output_attentions=True)[1]",
        xlnet,
    ),
    ("x-transformers", "CoPE(4, heads, rows)(q, scores with -max ahead)", cope_x_transformers),
    (
        "x-transformers",
        "CoPE(2, heads, 64).double()(q, scores)[..., keys]",
        cope_x_transformers_far,
    ),
    (
        "x-transformers",
        "Attend(causal=True, cope=CoPE(size, heads, rows).double())(q, k, k, mask=mask)[1]"
        ".pre_softmax_attn.softmax(-1)",
        cope_attend_x_transformers,
    ),
]
