"""What upstream libraries answer for RoPE beyond one dimension; see __main__.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from torch import Tensor
from transformers import Qwen2VLTextConfig, Qwen3VLTextConfig
from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen2
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLTextRotaryEmbedding

from tools.golden.rope import PLAIN, wave


def mrope_case(x: Tensor, at: Tensor, arrangement: str, sections: list[int]) -> dict[str, Any]:
    """Return a case of Qwen2-VL (chunked) or Qwen3-VL (interleaved); x (B, H, L, D)."""
    chunked, heads = arrangement == "chunked", x.shape[1]
    config = (Qwen2VLTextConfig if chunked else Qwen3VLTextConfig)(
        hidden_size=heads * x.shape[-1],
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=x.shape[-1],
        rope_parameters={**PLAIN, "mrope_section": sections},
    )
    module = (qwen2.Qwen2VLRotaryEmbedding if chunked else Qwen3VLTextRotaryEmbedding)(config)
    values, _ = qwen2.apply_rotary_pos_emb(x, x, *module(x, at))
    return {
        "arrangement": arrangement,
        "sections": sections,
        "positions": at.tolist(),
        "x": x.tolist(),
        "values": values.tolist(),
    }


def vision_case(x: Tensor, at: Tensor) -> dict[str, Any]:
    """Return a case of Qwen2-VL's vision tower; x (L, H, D), at (L, 2): row, column."""
    _, heads, dim = x.shape
    config = qwen2.Qwen2VLVisionConfig(embed_dim=heads * dim, num_heads=heads)
    cos, sin = qwen2.Qwen2VLVisionRotaryEmbedding(config)(torch.zeros(1), at)
    values, _ = qwen2.apply_rotary_pos_emb_vision(x, x, cos, sin)
    rows, columns = at.T.tolist()
    x, values = (part.transpose(0, 1)[None].tolist() for part in (x, values))
    return {"rows": rows, "columns": columns, "x": x, "values": values}


def mrope() -> Iterator[dict[str, Any]]:
    """Sections one after another (Qwen2-VL) and interleaved (Qwen3-VL); angles in float32."""
    at = torch.tensor([[[0, 1, 2, 2, 2, 9]], [[0, 1, 2, 3, 4, 9]], [[0, 1, 5, 6, 7, 9]]])
    for arrangement, sections in (
        ("chunked", [2, 3, 3]),
        ("chunked", [16, 24, 24]),
        ("interleaved", [4, 2, 2]),
        ("interleaved", [24, 20, 20]),
    ):
        yield mrope_case(wave(1, 1, 6, 2 * sum(sections)), at, arrangement, sections)


def rope_axial_qwen2_vision() -> Iterator[dict[str, Any]]:
    """The vision tower: height, then width, half layout."""
    yield vision_case(wave(12, 2, 16), torch.cartesian_prod(torch.arange(3), torch.arange(4)))


def rope_axial_rotary_embedding_torch() -> Iterator[dict[str, Any]]:
    """Interleaved, on a grid of 3 × 4."""
    module = RotaryEmbedding(8)
    x = wave(1, 2, 3, 4, 16)
    with torch.no_grad():
        values = apply_rotary_emb(module.get_axial_freqs(3, 4), x)
    at = torch.cartesian_prod(torch.arange(3), torch.arange(4))
    yield {
        "rows": at[:, 0].tolist(),
        "columns": at[:, 1].tolist(),
        "x": x.flatten(2, 3).tolist(),
        "values": values.flatten(2, 3).tolist(),
    }


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "apply_rotary_pos_emb(x, x, *Qwen2VLRotaryEmbedding(config)(x, positions))[0], "
        "interleaved: Qwen3VLTextRotaryEmbedding",
        mrope,
    ),
    (
        "transformers",
        "apply_rotary_pos_emb_vision(x, x, *Qwen2VLVisionRotaryEmbedding(config)(_, positions))[0]",
        rope_axial_qwen2_vision,
    ),
    (
        "rotary-embedding-torch",
        "apply_rotary_emb(RotaryEmbedding(8).get_axial_freqs(3, 4), x)",
        rope_axial_rotary_embedding_torch,
    ),
]
