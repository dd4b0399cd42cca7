"""What upstream answers for rotary embeddings of 71 and 112 heads, up to position 131071.

rope.py has few heads. x is float64, and the angles are float32
wherever upstream knows no other. __main__.py says how to run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig

from tools.golden.rope import (
    GPTNeoXConfig,
    GPTNeoXRotaryEmbedding,
    LlamaRotaryEmbedding,
    apply_gptj,
    apply_neox,
    apply_rotary_pos_emb,
    create_sinusoidal_positions,
    wave,
)

SIZES = ((71, 4), (112, 4))  # heads, head size
FAR = [4095, 131071]
PLAIN = {"rope_type": "default", "rope_theta": 10000.0}


def short(*shape: int) -> torch.Tensor:
    """Return such numbers in float64, with two decimals: many of them stay a small file."""
    return wave(*shape).double().round(decimals=2)


def rope_llama_heads() -> Iterator[dict[str, Any]]:
    """Half layout; two rows with positions of their own."""
    at = torch.tensor([[131071], [7]])
    for heads, dim in SIZES:
        config = LlamaConfig(
            hidden_size=heads * dim, num_attention_heads=heads, rope_parameters=PLAIN
        )
        x = short(2, heads, 1, dim)
        values, _ = apply_rotary_pos_emb(x, x, *LlamaRotaryEmbedding(config)(x, at))
        yield {
            "base": 10000.0,
            "positions": at.tolist(),
            "x": x.tolist(),
            "values": values.tolist(),
        }


def rope_gptj_heads() -> Iterator[dict[str, Any]]:
    """Interleaved, the first two channels of four."""
    sin, cos = create_sinusoidal_positions(FAR[-1] + 1, 2)[FAR].split(1, dim=-1)
    for heads, dim in SIZES:
        x = short(1, len(FAR), heads, dim)
        turned = apply_gptj(x[..., :2], sin[None], cos[None])
        values = torch.cat((turned, x[..., 2:]), dim=-1).transpose(1, 2)
        x = x.transpose(1, 2)
        yield {"turning": 2, "positions": FAR, "x": x.tolist(), "values": values.tolist()}


def rope_gpt_neox_heads() -> Iterator[dict[str, Any]]:
    """Half layout, the first two channels of four."""
    for heads, dim in SIZES:
        config = GPTNeoXConfig(
            hidden_size=heads * dim,
            num_attention_heads=heads,
            rope_parameters={**PLAIN, "partial_rotary_factor": 0.5},
        )
        x, at = short(1, heads, len(FAR), dim), torch.tensor([FAR])
        values, _ = apply_neox(x, x, *GPTNeoXRotaryEmbedding(config)(x, at))
        yield {"turning": 2, "positions": FAR, "x": x.tolist(), "values": values.tolist()}


def rope_rotary_embedding_torch_heads() -> Iterator[dict[str, Any]]:
    """Interleaved; `offset` tokens are in the cache."""
    for heads, dim in SIZES:
        x = short(1, heads, 2, dim)
        with torch.no_grad():
            values = RotaryEmbedding(dim).rotate_queries_or_keys(x, offset=131070)
        at = [131070, 131071]
        yield {"dim": dim, "positions": at, "x": x.tolist(), "values": values.tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "apply_rotary_pos_emb(x, x, *LlamaRotaryEmbedding(config)(x, positions))[0]",
        rope_llama_heads,
    ),
    (
        "transformers",
        "gptj: apply_rotary_pos_emb(x[..., :2], sin, cos), create_sinusoidal_positions(131072, 2)",
        rope_gptj_heads,
    ),
    (
        "transformers",
        "gpt_neox: apply_rotary_pos_emb(x, x, *GPTNeoXRotaryEmbedding(config)(x, positions))[0]",
        rope_gpt_neox_heads,
    ),
    (
        "rotary-embedding-torch",
        "RotaryEmbedding(dim).rotate_queries_or_keys(x, offset=positions[0])",
        rope_rotary_embedding_torch_heads,
    ),
]
