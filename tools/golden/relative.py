"""What upstream answers for scores by position with many heads, in float64.

score.py has few heads in float32. More heads than their size (71 heads of 2) tell
a swap of the two apart, and float64 leaves no room for a small wrong term. __main__.py says how to
run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import Wav2Vec2BertConfig, XLNetConfig
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import Wav2Vec2BertSelfAttention
from transformers.models.xlnet.modeling_xlnet import XLNetModel, XLNetRelativeAttention

from tools.golden.attention import shaw_case, xlnet_case


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
        yield shaw_case(module, x, heads)


def shaw_sides() -> Iterator[dict[str, Any]]:
    """Keys only, clipped at 3 tokens before and 1 behind, or 0 behind; `values` are the weights."""
    for heads, size, length, past, future in ((3, 4, 6, 3, 1), (112, 2, 3, 1, 0)):
        config = Wav2Vec2BertConfig(
            hidden_size=size * heads,
            num_attention_heads=heads,
            position_embeddings_type="relative_key",
            left_max_position_embeddings=past,
            right_max_position_embeddings=future,
        )
        module = Wav2Vec2BertSelfAttention(config).eval().double()
        torch.nn.init.normal_(module.distance_embedding.weight)
        x = torch.randn(1, length, size * heads, dtype=torch.float64)
        yield {"past": past, **shaw_case(module, x, heads)}


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
        yield xlnet_case(module, q, k, k_r, other, w)


def xlnet_far() -> Iterator[dict[str, Any]]:
    """As xlnet, distances greater by `ahead`, R in float32; `values` are the weights."""
    for heads, size, ahead in ((1, 4, 1000), (3, 4, 131_071)):
        queries, keys, width = 3, 4, 6
        config = XLNetConfig(d_model=size * heads, n_head=heads, n_layer=1, vocab_size=8)
        module = XLNetRelativeAttention(config).eval().double()
        for weight in module.parameters():
            torch.nn.init.normal_(weight, std=0.5)
        q, k = (torch.randn(n, 1, heads, size, dtype=torch.float64) for n in (queries, keys))
        w = 0.5 * torch.randn(heads * size, width, dtype=torch.float64)
        distances = ahead + torch.arange(keys, -queries, -1.0)
        frequency = 1 / 10000 ** (torch.arange(0, width, 2.0) / width)
        r = XLNetModel.positional_embedding(distances, frequency, bsz=1).double()
        k_r = (r @ w.T).unflatten(-1, (heads, size))
        other = torch.rand(1, queries, keys) < 0.5
        yield {"ahead": ahead} | xlnet_case(module, q, k, k_r, other, w)


def xlnet_uni() -> Iterator[dict[str, Any]]:
    """One direction: attn_type "uni" has fewer rows of R, and its own mask; padding to the left."""
    for heads, size, queries, memory, padding in (
        (1, 4, 4, 0, 0),
        (3, 4, 3, 2, 2),
        (112, 2, 2, 1, 0),
    ):
        keys, width, exact = queries + memory, 6, {"dtype": torch.float64}
        options = {"n_layer": 1, "vocab_size": 8, "attn_type": "uni"}
        config = XLNetConfig(d_model=heads * size, n_head=heads, **options)
        module = XLNetRelativeAttention(config).eval().double()
        model = XLNetModel(XLNetConfig(d_model=width, n_head=1, **options))
        for weight in module.parameters():
            torch.nn.init.normal_(weight, std=0.5)
        q, k = (torch.randn(n, 1, heads, size, **exact) for n in (queries, keys))
        w = 0.5 * torch.randn(heads * size, width, **exact)
        r = model.relative_positional_encoding(queries, keys, bsz=1).double()
        mask = model.create_mask(queries, memory).double()
        mask[:, :padding] = 1
        k_r, other = (r @ w.T).unflatten(-1, (heads, size)), torch.rand(1, queries, keys) < 0.5
        case = xlnet_case(module, q, k, k_r, other, w, mask[:, :, None, None])
        yield {"mask": mask.eq(0).tolist()} | case


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
        "Wav2Vec2BertSelfAttention(config).eval().double()(x, output_attentions=True)[1]; "
        "config.left_max_position_embeddings=past, config.right_max_position_embeddings",
        shaw_sides,
    ),
    (
        "transformers",
        "XLNetRelativeAttention(config).eval().double().rel_attn_core(q, k, k, k_r, seg_mat, "
        "output_attentions=True)[1]",
        xlnet_heads,
    ),
    (
        "transformers",
        "XLNetRelativeAttention(config).eval().double().rel_attn_core(q, k, k, k_r, seg_mat, "
        "output_attentions=True)[1], R = XLNetModel.positional_embedding(ahead + distances, …)",
        xlnet_far,
    ),
    (
        "transformers",
        "XLNetRelativeAttention(config).eval().double().rel_attn_core(q, k, k, k_r, seg_mat, "
        "XLNetModel(config).create_mask(queries, memory), output_attentions=True)[1]; "
        "config.attn_type='uni'",
        xlnet_uni,
    ),
    (
        "transformers",
        "XLNetRelativeAttention.rel_shift_bnij(x[None, None], klen=keys)[0, 0]",
        rel_shift_xlnet,
    ),
]
