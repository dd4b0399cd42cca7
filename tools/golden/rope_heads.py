"""What upstream answers for rotary embeddings of 71 and 112 heads, up to position 131071.

rope.py, rope_grid.py and xpos.py have few heads. x is float64, and the angles are float32 wherever
upstream knows no other. __main__.py says how to run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb

from tools.golden import files
from tools.golden.rope import gpt_neox_case, gptj_case, llama_case, wave
from tools.golden.rope_grid import mrope_case, vision_case

SIZES = ((71, 4), (112, 4))  # heads, head size
FAR = [4095, 131071]


def short(*shape: int) -> torch.Tensor:
    """Return a `wave` in float64 with two decimals: many numbers still make a small file."""
    return wave(*shape).double().round(decimals=2)


def rope_llama_heads() -> Iterator[dict[str, Any]]:
    """Half layout; two rows with positions of their own."""
    at = torch.tensor([[131071], [7]])
    for heads, dim in SIZES:
        yield llama_case(short(2, heads, 1, dim), at)


def rope_gptj_heads() -> Iterator[dict[str, Any]]:
    """Interleaved, the first two channels of four."""
    for heads, dim in SIZES:
        yield gptj_case(short(1, len(FAR), heads, dim), FAR, turning=2)


def rope_gpt_neox_heads() -> Iterator[dict[str, Any]]:
    """Half layout, the first two channels of four."""
    for heads, dim in SIZES:
        yield gpt_neox_case(short(1, heads, len(FAR), dim), FAR, turning=2)


def rope_rotary_embedding_torch_heads() -> Iterator[dict[str, Any]]:
    """Interleaved; `offset` tokens are in the cache."""
    for heads, dim in SIZES:
        x = short(1, heads, 2, dim)
        with torch.no_grad():
            values = RotaryEmbedding(dim).rotate_queries_or_keys(x, offset=131070)
        at = [131070, 131071]
        yield {"dim": dim, "positions": at, "x": x.tolist(), "values": values.tolist()}


def mrope_heads() -> Iterator[dict[str, Any]]:
    """Sections one after another, and interleaved; the three axes are far apart."""
    at = torch.tensor([[[131071, 0]], [[4095, 131071]], [[9, 4095]]])
    for heads, arrangement, sections in (
        (71, "chunked", [1, 1, 1]),
        (112, "interleaved", [2, 1, 0]),
    ):
        yield mrope_case(short(1, heads, 2, 2 * sum(sections)), at, arrangement, sections)


def rope_axial_qwen2_vision_heads() -> Iterator[dict[str, Any]]:
    """Half layout, rows and columns far apart; upstream turns in float32 whatever x is."""
    for heads, dim in SIZES:
        yield vision_case(short(2, heads, dim), torch.tensor([[131071, 3], [0, 4095]]))


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
