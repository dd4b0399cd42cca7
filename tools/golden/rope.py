"""What upstream libraries answer for rotary embeddings; __main__.py says how to run this."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import mpmath
import torch
from rotary_embedding_torch import RotaryEmbedding
from torch import Tensor
from transformers import LlamaConfig
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXConfig, GPTNeoXRotaryEmbedding
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb as apply_neox
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as apply_gptj
from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

FAR = [0, 1, 2, 49, 511, 4095, 131071]
PLAIN = {"rope_type": "default", "rope_theta": 10000.0}


def wave(*shape: int) -> Tensor:
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


def llama_case(x: Tensor, at: Tensor, base: float = 10000.0) -> dict[str, Any]:
    """Return a case of Llama's rotation; x (B, H, L, D), at (B, L)."""
    _, heads, _, dim = x.shape
    config = LlamaConfig(
        hidden_size=heads * dim,
        num_attention_heads=heads,
        rope_parameters={**PLAIN, "rope_theta": base},
    )
    values, _ = apply_rotary_pos_emb(x, x, *LlamaRotaryEmbedding(config)(x, at))
    return {"base": base, "positions": at.tolist(), "x": x.tolist(), "values": values.tolist()}


def gptj_case(x: Tensor, at: list[int], turning: int) -> dict[str, Any]:
    """Return a case of GPT-J, which turns x (B, L, H, D) before it swaps heads and length."""
    table = create_sinusoidal_positions(max(at) + 1, turning)[at]
    sin, cos = table[None].split(turning // 2, dim=-1)
    values = torch.cat((apply_gptj(x[..., :turning], sin, cos), x[..., turning:]), dim=-1)
    x, values = (part.transpose(1, 2).tolist() for part in (x, values))
    return {"turning": turning, "positions": at, "x": x, "values": values}


def gpt_neox_case(x: Tensor, at: list[int], turning: int) -> dict[str, Any]:
    """Return a case of GPT-NeoX; x (1, H, L, D)."""
    _, heads, _, dim = x.shape
    config = GPTNeoXConfig(
        hidden_size=heads * dim,
        num_attention_heads=heads,
        rope_parameters={**PLAIN, "partial_rotary_factor": turning / dim},
    )
    values, _ = apply_neox(x, x, *GPTNeoXRotaryEmbedding(config)(x, torch.tensor([at])))
    return {"turning": turning, "positions": at, "x": x.tolist(), "values": values.tolist()}


def rope_llama() -> Iterator[dict[str, Any]]:
    """Half layout, angles in float32; several heads; two rows with positions of their own."""
    for heads, dim, base in ((1, 2, 10000.0), (3, 8, 10000.0), (2, 128, 500000.0)):
        at = torch.tensor([FAR, [p + 3 for p in FAR]]) if heads == 3 else torch.tensor([FAR])
        yield llama_case(wave(len(at), heads, len(FAR), dim), at, base)


def rope_gptj() -> Iterator[dict[str, Any]]:
    """Interleaved, the first `turning` channels only, angles in float32."""
    yield gptj_case(wave(1, len(FAR) - 1, 3, 12), FAR[:-1], turning=8)


def rope_gpt_neox() -> Iterator[dict[str, Any]]:
    """Half layout, the first quarter of each head."""
    yield gpt_neox_case(wave(1, 3, len(FAR), 16), FAR, turning=4)


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
