"""Sandwich, Chi et al. 2023: the dot product of two sinusoids as a relative bias, one slope a head.

    bias = (Σ_{i=1}^{d̄/2} cos((m - n) / 10000^{2i/d̄}) - d̄/2) / (8h/H) ,   h = 1 … H

It is 0 at distance 0 and negative elsewhere: the sum of cosines is largest, d̄/2, at 0. i starts at
1, so that the fastest frequency is 10000^(-2/d̄), not 1. Form and constants are those of NVIDIA
NeMo's file; the authors' own repository could not be obtained, so the paper's equation has not
been compared.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.device import angle_dtype
from posenc_ref.positions import relative_positions


def sandwich(
    q_positions: Tensor,
    k_positions: Tensor,
    heads: int,
    *,
    dim: int = 128,
    base: float = 10000.0,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return the bias (H, Lq, Lk), or (B, H, Lq, Lk) with a batch of positions; d̄ is `dim`.

    Source: Chi et al. 2023, §4; `sandwich_relative_position_embedding.py` of NeMo 1.23.
    Raises:
        TypeError: as `relative_positions`; dtype is not a float.
        ValueError: heads is not positive, dim is odd or not positive; as `relative_positions`.
    Example:
        >>> from posenc_ref import positions, sandwich
        >>> sandwich(positions(1, start=1), positions(2), heads=1, dim=2).round(decimals=3).tolist()
        [[[-0.0, 0.0]]]
    """
    if heads < 1 or dim < 2 or dim % 2:
        raise ValueError(f"heads must be positive and dim even, got {heads} and {dim}")
    if not dtype.is_floating_point:
        raise TypeError(f"dtype must be a float, got {dtype}")
    relative = relative_positions(q_positions, k_positions)
    exact = angle_dtype(relative.device)
    i = torch.arange(1, dim // 2 + 1, dtype=exact, device=relative.device)
    total = torch.zeros(relative.shape, dtype=exact, device=relative.device)
    for omega in base ** (-2 * i / dim):  # one frequency at a time: no (Lq, Lk, d̄/2) table
        total = total + (relative * omega).cos()
    scales = 8 * torch.arange(1, heads + 1, dtype=exact, device=relative.device) / heads
    return ((total - dim // 2)[..., None, :, :] / scales[:, None, None]).to(dtype)
