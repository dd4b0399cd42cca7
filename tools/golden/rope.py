"""What upstream libraries answer for rotary embeddings; __main__.py says how to run this."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import mpmath
import torch
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXConfig, GPTNeoXRotaryEmbedding
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb as apply_neox
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as apply_gptj
from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

FAR = [0, 1, 2, 49, 511, 4095, 131071]


def wave(*shape: int) -> torch.Tensor:
    """Return numbers between -1 and 1 that no two places share."""
    count = torch.Size(shape).numel()
    return (torch.arange(1, count + 1, dtype=torch.float64) * 0.7).sin().float().view(shape)


def rope_mpmath() -> Iterator[dict[str, Any]]:
    """The formula with 50 digits, neighbours in pairs: far, before the first, between tokens."""
    mpmath.mp.dps = 50
    positions = [*FAR, -1, -49, 0.5, -130.75]
    for dim, base in ((2, 10000), (8, 10000), (8, 500000), (128, 10000)):
        x = wave(len(positions), dim).tolist()
        rows = []
        for p, row in zip(positions, x, strict=True):
            angles = [p * mpmath.power(base, -mpmath.mpf(i) / (dim // 2)) for i in range(dim // 2)]
            turned = []
            for angle, a, b in zip(angles, row[0::2], row[1::2], strict=True):
                c, s = mpmath.cos(angle), mpmath.sin(angle)
                turned += [float(a * c - b * s), float(a * s + b * c)]
            rows.append(turned)
        yield {"dim": dim, "base": base, "positions": positions, "x": x, "values": rows}


def rope_llama() -> Iterator[dict[str, Any]]:
    """Half layout, angles in float32; several heads; two rows with positions of their own."""
    for heads, dim, base in ((1, 2, 10000.0), (3, 8, 10000.0), (2, 128, 500000.0)):
        config = LlamaConfig(
            hidden_size=heads * dim,
            num_attention_heads=heads,
            rope_parameters={"rope_type": "default", "rope_theta": base},
        )
        positions = torch.tensor([FAR, [p + 3 for p in FAR]]) if heads == 3 else torch.tensor([FAR])
        x = wave(len(positions), heads, len(FAR), dim)
        tables = LlamaRotaryEmbedding(config)(x, positions)
        values, _ = apply_rotary_pos_emb(x, x, *tables)
        yield {
            "base": base,
            "positions": positions.tolist(),
            "x": x.tolist(),
            "values": values.tolist(),
        }


def rope_gptj() -> Iterator[dict[str, Any]]:
    """Interleaved, the first `turning` channels only, angles in float32."""
    table = create_sinusoidal_positions(4096, 8)
    positions = FAR[:-1]
    x = wave(1, len(positions), 3, 12)  # B, L, H, D: GPT-J turns before it swaps heads and length
    sin, cos = table[positions].split(4, dim=-1)
    turned = apply_gptj(x[..., :8], sin[None], cos[None])
    values = torch.cat((turned, x[..., 8:]), dim=-1).transpose(1, 2)
    yield {
        "turning": 8,
        "positions": positions,
        "x": x.transpose(1, 2).tolist(),
        "values": values.tolist(),
    }


def rope_gpt_neox() -> Iterator[dict[str, Any]]:
    """Half layout, the first quarter of each head."""
    config = GPTNeoXConfig(
        hidden_size=48,
        num_attention_heads=3,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10000.0,
            "partial_rotary_factor": 0.25,
        },
    )
    x, positions = wave(1, 3, len(FAR), 16), torch.tensor([FAR])
    values, _ = apply_neox(x, x, *GPTNeoXRotaryEmbedding(config)(x, positions))
    yield {"turning": 4, "positions": FAR, "x": x.tolist(), "values": values.tolist()}


def rope_rotary_embedding_torch() -> Iterator[dict[str, Any]]:
    """Interleaved, angles in float32; `offset` tokens are in the cache."""
    warnings.simplefilter("ignore")  # it asks for autocast of CUDA
    for dim, offset in ((8, 0), (64, 1000)):
        x = wave(1, 2, 5, dim)
        with torch.no_grad():
            values = RotaryEmbedding(dim).rotate_queries_or_keys(x, offset=offset)
        positions = list(range(offset, offset + 5))
        yield {"dim": dim, "positions": positions, "x": x.tolist(), "values": values.tolist()}


GOLDENS = [  # library, call, cases
    (
        "mpmath",
        "(a cos pw - b sin pw, a sin pw + b cos pw), w = mpmath.power(base, -i / (dim / 2)); "
        "mpmath.mp.dps = 50",
        rope_mpmath,
    ),
    (
        "transformers",
        "apply_rotary_pos_emb(x, x, *LlamaRotaryEmbedding(config)(x, positions))[0]",
        rope_llama,
    ),
    (
        "transformers",
        "gptj: apply_rotary_pos_emb(x[..., :8], sin, cos), create_sinusoidal_positions(4096, 8)",
        rope_gptj,
    ),
    (
        "transformers",
        "gpt_neox: apply_rotary_pos_emb(x, x, *GPTNeoXRotaryEmbedding(config)(x, positions))[0]",
        rope_gpt_neox,
    ),
    (
        "rotary-embedding-torch",
        "RotaryEmbedding(dim).rotate_queries_or_keys(x, offset=positions[0])",
        rope_rotary_embedding_torch,
    ),
]
