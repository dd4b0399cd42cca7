"""What upstream libraries answer for rotary scalings; __main__.py says how to run this."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import mpmath
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS


def scaled(kind: str, dim: int, length: int | None = None, **parameters: Any) -> dict[str, Any]:
    """Return what transformers makes of these rope_parameters."""
    trained = parameters.get("original_max_position_embeddings", 2048)
    longest = int(trained * parameters.get("factor", 1)) if kind == "longrope" else trained
    config = LlamaConfig(
        hidden_size=2 * dim,
        num_attention_heads=2,
        max_position_embeddings=longest,
        rope_parameters={"rope_type": kind, "rope_theta": 10000.0, **parameters},
    )
    omega, attention_factor = ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len=length)
    return {
        "dim": dim,
        "length": length,
        "trained_length": trained,
        "parameters": parameters,
        "attention_factor": attention_factor,
        "values": omega.tolist(),
    }


def rope_scaling_linear() -> Iterator[dict[str, Any]]:
    """Position interpolation, in float32."""
    for dim, factor in ((8, 2.0), (128, 8.0)):
        yield scaled("linear", dim, factor=factor)


def rope_scaling_dynamic() -> Iterator[dict[str, Any]]:
    """Dynamic NTK with transformers' meaning of factor; nothing changes within 2048."""
    for length in (1000, 2048, 2049, 8192):
        for factor in (1.0, 2.0, 4.0):
            yield scaled("dynamic", 16, length, factor=factor)


def rope_scaling_yarn() -> Iterator[dict[str, Any]]:
    """The ramp of the code, with and without rounding, and DeepSeek's temperatures."""
    trained = {"original_max_position_embeddings": 4096}
    for dim, more in (
        (8, {"factor": 4.0}),
        (64, {"factor": 16.0}),
        (128, {"factor": 32.0}),
        (128, {"factor": 8.0, "rope_theta": 500000.0}),
        (64, {"factor": 16.0, "beta_fast": 20.0, "beta_slow": 2.0}),
        (64, {"factor": 16.0, "truncate": False}),
        (64, {"factor": 40.0, "mscale": 0.707, "mscale_all_dim": 1.0}),
    ):
        yield scaled("yarn", dim, **trained, **more)


def rope_scaling_llama3() -> Iterator[dict[str, Any]]:
    """The bands of Llama 3.1, 3.2, and others."""
    for dim, factor, low, high in ((128, 8.0, 1.0, 4.0), (64, 32.0, 1.0, 4.0), (16, 4.0, 2.0, 8.0)):
        yield scaled(
            "llama3",
            dim,
            factor=factor,
            low_freq_factor=low,
            high_freq_factor=high,
            original_max_position_embeddings=8192,
            rope_theta=500000.0,
        )


def rope_scaling_longrope() -> Iterator[dict[str, Any]]:
    """Short and long divisors, and the temperature."""
    for length in (4096, 4097):
        yield scaled(
            "longrope",
            8,
            length,
            factor=32.0,
            short_factor=[1.0, 1.05, 1.1, 1.5],
            long_factor=[1.0, 4.0, 20.0, 64.0],
            original_max_position_embeddings=4096,
        )


def rope_scaling_proportional() -> Iterator[dict[str, Any]]:
    """A share of the pairs at the frequencies of the whole head; Gemma 4 has 1/4 and base 10^6."""
    for dim, more in (
        (8, {"partial_rotary_factor": 0.5}),
        (10, {"partial_rotary_factor": 0.3}),
        (256, {"partial_rotary_factor": 0.25, "rope_theta": 1000000.0}),
        (64, {"partial_rotary_factor": 0.75, "factor": 8.0}),
        (16, {"factor": 2.0}),
    ):
        yield scaled("proportional", dim, **more)


def rope_scaling_ntk() -> Iterator[dict[str, Any]]:
    """NTK-aware, in float32."""
    warnings.simplefilter("ignore")  # it asks for autocast of CUDA
    for dim, factor in ((4, 2.0), (64, 8.0), (128, 4.0)):
        omega = RotaryEmbedding(dim, theta_rescale_factor=factor).freqs
        yield {"dim": dim, "factor": factor, "values": omega.tolist()}


def rope_scaling_by_parts() -> Iterator[dict[str, Any]]:
    """The ramp of the paper, with 50 digits."""
    mpmath.mp.dps = 50
    for dim, base, factor, trained, alpha, beta in (
        (8, 10000, 4, 2048, 1, 32),
        (128, 10000, 16, 4096, 1, 32),
        (128, 500000, 8, 8192, 1, 4),
    ):
        values = []
        for i in range(dim // 2):
            w = mpmath.power(base, -mpmath.mpf(2 * i) / dim)
            r = trained * w / (2 * mpmath.pi)
            g = min(max((r - alpha) / (beta - alpha), mpmath.mpf(0)), mpmath.mpf(1))
            values.append(float((1 - g) * w / factor + g * w))
        yield {
            "dim": dim,
            "base": base,
            "factor": factor,
            "trained_length": trained,
            "alpha": alpha,
            "beta": beta,
            "values": values,
        }


ASKED = "ROPE_INIT_FUNCTIONS[kind](LlamaConfig(rope_parameters=…), 'cpu', seq_len=length)"
GOLDENS = [  # library, call, cases
    ("transformers", ASKED, rope_scaling_linear),
    ("transformers", ASKED, rope_scaling_dynamic),
    ("transformers", ASKED, rope_scaling_yarn),
    ("transformers", ASKED, rope_scaling_llama3),
    ("transformers", ASKED, rope_scaling_longrope),
    ("transformers", ASKED, rope_scaling_proportional),
    (
        "rotary-embedding-torch",
        "RotaryEmbedding(dim, theta_rescale_factor=factor).freqs",
        rope_scaling_ntk,
    ),
    (
        "mpmath",
        "(1 - g) w / s + g w, g = clip((trained w / 2 pi - alpha) / (beta - alpha), 0, 1)",
        rope_scaling_by_parts,
    ),
]
