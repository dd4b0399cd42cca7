"""Sandwich, Chi et al. 2023: the dot product of two sinusoids as a relative bias, one slope a head.

    bias = (Σ_i cos((m - n) / 10000^{2i/d̄}) - d̄/2) / (8h/H) ,   h = 1 … H,   d̄/2 values of i

It is 0 at distance 0 and negative elsewhere: the sum of cosines is largest, d̄/2, at 0. Subtracting
d̄/2 moves all scores of a head alike, so no softmax sees it. Which i is named in the call:

- "sinusoidal": 0 … d̄/2 - 1. The sum is PE(m)·PE(n) of `sinusoidal`; the fastest frequency is 1.
- "nemo": 1 … d̄/2, in NVIDIA NeMo's file. The fastest frequency is 10000^(-2/d̄), the slowest
  1/10000.

What was compared: the file of NeMo 1.23, run, which "nemo" equals within 2e-5 in float32 (the
golden); and the sum Σ_i cos((m - n) / 10000^{2i/d̄}) as one later text quotes the paper, without
saying where i begins. Shift and slopes are NeMo's alone. Not compared: the paper itself and the
authors' repository, so which i is theirs remains open.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from posenc_ref.device import angle_dtype
from posenc_ref.positions import relative_positions
from posenc_ref.scalars import require_choice, require_integers
from posenc_ref.sinusoidal import require_base
from posenc_ref.tensors import require_float_dtype

Pairs = Literal["sinusoidal", "nemo"]


def sandwich(
    q_positions: Tensor,
    k_positions: Tensor,
    heads: int,
    *,
    dim: int = 128,
    base: float = 10000.0,
    pairs: Pairs = "sinusoidal",
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return the bias (H, Lq, Lk), or (B, H, Lq, Lk) with a batch of positions; d̄ is `dim`.

        (Σ_i cos((m - n) / base^(2i/d̄)) - d̄/2) / (8h/H),   h = 1 … H

    Source: Chi et al. 2023; for pairs "nemo", `sandwich_relative_position_embedding.py` of NeMo
    1.23.
    Raises:
        TypeError: as `relative_positions`; heads is not an integer, dtype is not a float.
        ValueError: heads is not positive, dim is odd or not positive, base is not above 1 and
            finite, pairs is unknown; as `relative_positions`.
    Example:
        >>> from posenc_ref import positions, sandwich
        >>> sandwich(positions(1, start=1), positions(2), heads=1, dim=2)
        tensor([[[-0.0575,  0.0000]]])
    """
    require_integers(heads=heads, dim=dim)
    if heads < 1 or dim < 2 or dim % 2:
        raise ValueError(f"heads and even dim must be positive, got {heads} and {dim}")
    require_base(base)
    require_choice(Pairs, pairs=pairs)
    require_float_dtype(dtype=dtype)
    relative = relative_positions(q_positions, k_positions)
    exact = angle_dtype(relative.device)
    first = 0 if pairs == "sinusoidal" else 1
    i = torch.arange(first, first + dim // 2, dtype=exact, device=relative.device)
    total = torch.zeros(relative.shape, dtype=exact, device=relative.device)
    for omega in base ** (-2 * i / dim):  # one frequency at a time: no (Lq, Lk, d̄/2) table
        total = total + (relative * omega).cos()
    scales = 8 * torch.arange(1, heads + 1, dtype=exact, device=relative.device) / heads
    return ((total - dim // 2)[..., None, :, :] / scales[:, None, None]).to(dtype)
