"""What upstream answers for RoPE of more dimensions, and xPos, of 71 and 112 heads, far away.

rope_more.py has few heads. x is float64, and the angles are float32. __main__.py says how to
run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from transformers import Qwen2VLTextConfig, Qwen3VLTextConfig

from tools.golden import files
from tools.golden.rope_heads import PLAIN, SIZES, short
from tools.golden.rope_more import Qwen3VLTextRotaryEmbedding, qwen2


def mrope_heads() -> Iterator[dict[str, Any]]:
    """Sections one after another, and interleaved; the three axes are far apart."""
    at = torch.tensor([[[131071, 0]], [[4095, 131071]], [[9, 4095]]])
    for heads, arrangement, sections in (
        (71, "chunked", [1, 1, 1]),
        (112, "interleaved", [2, 1, 0]),
    ):
        dim, chunked = 2 * sum(sections), arrangement == "chunked"
        config = (Qwen2VLTextConfig if chunked else Qwen3VLTextConfig)(
            hidden_size=heads * dim,
            num_attention_heads=heads,
            num_key_value_heads=heads,
            head_dim=dim,
            rope_parameters={**PLAIN, "mrope_section": sections},
        )
        module = (qwen2.Qwen2VLRotaryEmbedding if chunked else Qwen3VLTextRotaryEmbedding)(config)
        x = short(1, heads, 2, dim)
        values, _ = qwen2.apply_rotary_pos_emb(x, x, *module(x, at))
        yield {
            "arrangement": arrangement,
            "sections": sections,
            "positions": at.tolist(),
            "x": x.tolist(),
            "values": values.tolist(),
        }


def rope_axial_qwen2_vision_heads() -> Iterator[dict[str, Any]]:
    """Half layout, rows and columns far apart; upstream turns in float32 whatever x is."""
    at = torch.tensor([[131071, 3], [0, 4095]])  # row, column
    for heads, dim in SIZES:
        config = qwen2.Qwen2VLVisionConfig(embed_dim=heads * dim, num_heads=heads)
        cos, sin = qwen2.Qwen2VLVisionRotaryEmbedding(config)(torch.zeros(1), at)
        x = short(len(at), heads, dim)
        values, _ = qwen2.apply_rotary_pos_emb_vision(x, x, cos, sin)
        yield {
            "rows": at[:, 0].tolist(),
            "columns": at[:, 1].tolist(),
            "x": x.transpose(0, 1)[None].tolist(),
            "values": values.transpose(0, 1)[None].tolist(),
        }


def rope_axial_rotary_embedding_torch_heads() -> Iterator[dict[str, Any]]:
    """Interleaved, on the last of two columns and of 131072."""
    module, at = RotaryEmbedding(4), (1, 131071)
    for heads, _ in SIZES:
        x = short(1, heads, 1, 8)
        with torch.no_grad():
            turning = module.get_axial_freqs(2, 131072)[at]
            values = apply_rotary_emb(turning[None], x)
        yield {
            "rows": [at[0]],
            "columns": [at[1]],
            "x": x.tolist(),
            "values": values.tolist(),
        }


def xpos_torchscale_heads() -> Iterator[dict[str, Any]]:
    """Scores of two tokens; scales in float64, for 0.29^128 is 0 in float32, angles in float32."""
    xpos = files.load("torchscale.component.xpos_relative_position").XPOS
    for heads, dim, last in ((71, 4, 131071), (112, 2, 131071)):
        module = xpos(dim).double()
        q, k = short(2, heads, 2, dim)
        turned = module(q, offset=last - 1), module(k, offset=last - 1, downscale=True)
        yield {
            "positions": [last - 1, last],
            "q": q.tolist(),
            "k": k.tolist(),
            "values": (turned[0] @ turned[1].mT).tolist(),
        }


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "apply_rotary_pos_emb(x, x, *Qwen2VLRotaryEmbedding(config)(x, positions))[0], "
        "interleaved: Qwen3VLTextRotaryEmbedding",
        mrope_heads,
    ),
    (
        "transformers",
        "apply_rotary_pos_emb_vision(x, x, *Qwen2VLVisionRotaryEmbedding(config)(_, positions))[0]",
        rope_axial_qwen2_vision_heads,
    ),
    (
        "rotary-embedding-torch",
        "apply_rotary_emb(RotaryEmbedding(4).get_axial_freqs(2, 131072)[row, column], x)",
        rope_axial_rotary_embedding_torch_heads,
    ),
    (
        "torchscale",
        "XPOS(D).double()(q, offset=positions[0]) @ XPOS(D).double()(k, offset, downscale=True).mT",
        xpos_torchscale_heads,
    ),
]
