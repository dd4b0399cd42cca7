"""What upstream libraries answer for sinusoidal tables; __main__.py says how to run this."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath
import torch
from positional_encodings.torch_encodings import PositionalEncoding1D
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding
from x_transformers.x_transformers import ScaledSinusoidalEmbedding

FAR = [0, 1, 2, 49, 511, 4095, 131071]  # rows kept of a table
NEAR = FAR[:-1]  # where building the whole table takes long


def sinusoidal_mpmath() -> Iterator[dict[str, Any]]:
    """The formula with 50 digits: between tokens, before the first, far away, any base."""
    mpmath.mp.dps = 50
    numbers = [*FAR, -1, -49, 0.5, 2.25, -130.75]
    for dim, base, exponent in (
        (2, 10000, "paper"),
        (6, 10000, "paper"),
        (128, 10000, "paper"),
        (8, 500000, "paper"),
        (2, 10000, "tensor2tensor"),
        (8, 10000, "tensor2tensor"),
    ):
        steps = mpmath.mpf(dim // 2 if exponent == "paper" else max(dim // 2 - 1, 1))
        omega = [mpmath.power(base, -i / steps) for i in range(dim // 2)]
        rows = [[f(p * w) for w in omega for f in (mpmath.sin, mpmath.cos)] for p in numbers]
        yield {
            "dim": dim,
            "base": base,
            "exponent": exponent,
            "positions": numbers,
            "frequencies": [float(w) for w in omega],
            "values": [[float(x) for x in row] for row in rows],
        }


def sinusoidal_marian() -> Iterator[dict[str, Any]]:
    """Concatenated; angles in float64, table in float32."""
    for dim, rows in ((2, FAR), (8, FAR), (128, NEAR)):
        table = MarianSinusoidalPositionalEmbedding(rows[-1] + 1, dim).create_weight()
        yield {"dim": dim, "positions": rows, "values": table[rows].tolist()}


def sinusoidal_positional_encodings() -> Iterator[dict[str, Any]]:
    """Interleaved, angles in float32; an odd dim drops the last cosine."""
    for dim in (2, 6, 7, 128):
        table = PositionalEncoding1D(dim)(torch.zeros(1, FAR[-1] + 1, dim))[0]
        yield {"dim": dim, "positions": FAR, "values": table[FAR].tolist()}


def sinusoidal_x_transformers() -> Iterator[dict[str, Any]]:
    """Concatenated, angles in float32, all times dim^-½ (`scale`)."""
    for dim, offset in ((6, 0), (64, 0), (64, 1000)):
        with torch.no_grad():
            table = ScaledSinusoidalEmbedding(dim)(torch.zeros(1, 5, dim), offset=offset)
        positions = list(range(offset, offset + 5))
        yield {"dim": dim, "positions": positions, "scale": dim**-0.5, "values": table.tolist()}


def sinusoidal_m2m100() -> Iterator[dict[str, Any]]:
    """Concatenated, tensor2tensor's frequencies; tokens are numbered from padding_idx + 1."""
    for dim in (4, 6, 7, 128):
        table = M2M100SinusoidalPositionalEmbedding.get_embedding(FAR[-1] + 1, dim, None)
        yield {"dim": dim, "positions": FAR, "values": table[FAR].tolist()}
    tokens = [[5, 7, 9, 1, 1]]  # 1 is padding
    values = M2M100SinusoidalPositionalEmbedding(8, 6, padding_idx=1)(torch.tensor(tokens))
    yield {"dim": 6, "padding_idx": 1, "tokens": tokens, "values": values.tolist()}


GOLDENS = [  # library, call, cases
    (
        "mpmath",
        "mpmath.sin(p * w), mpmath.cos(p * w), interleaved; w = mpmath.power(base, -i / steps), "
        "steps = dim / 2, or max(dim / 2 - 1, 1) for tensor2tensor; mpmath.mp.dps = 50",
        sinusoidal_mpmath,
    ),
    (
        "transformers",
        "MarianSinusoidalPositionalEmbedding(length, dim).create_weight()[positions]",
        sinusoidal_marian,
    ),
    (
        "positional-encodings",
        "PositionalEncoding1D(dim)(torch.zeros(1, length, dim))[0, positions]",
        sinusoidal_positional_encodings,
    ),
    (
        "x-transformers",
        "ScaledSinusoidalEmbedding(dim)(torch.zeros(1, 5, dim), offset=positions[0])",
        sinusoidal_x_transformers,
    ),
    (
        "transformers",
        "M2M100SinusoidalPositionalEmbedding.get_embedding(length, dim, None)[positions]; "
        "with tokens: M2M100SinusoidalPositionalEmbedding(8, dim, padding_idx)(tokens)",
        sinusoidal_m2m100,
    ),
]
