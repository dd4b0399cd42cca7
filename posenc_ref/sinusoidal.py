"""Sinusoidal positional encoding, Vaswani et al. 2017, §3.5: one sine and cosine per frequency.

    PE(p, 2i) = sin(p ω_i),   PE(p, 2i + 1) = cos(p ω_i),   ω_i = base^(-2i/d),   i = 0 … d/2 - 1

Two conventions are in use for each of two choices, so both are named in the call:

- layout, where the d/2 sines and d/2 cosines lie among the d channels.
  "interleaved": sin, cos, sin, cos, … (the paper; PositionalEncoding1D).
  "concatenated": all sines, then all cosines (tensor2tensor, fairseq, Marian, M2M100).
  The two differ by a permutation of the channels only.
- exponent, which frequencies. "paper": base^(-i/(d/2)), so base itself is never reached.
  "tensor2tensor": base^(-i/(d/2 - 1)), from 1 to 1/base inclusive (also fairseq, M2M100). These
  are other numbers, not another order.

Positions may be any real numbers: between two tokens (interpolated, scaled positions) and
negative ones (PE(-p) has the same cosines and the opposite sines) follow from the formula.
Angles are float64, float32 on hardware without it; only the finished table is cast to `dtype`.

An odd d is an error here. The paper does not define it: PositionalEncoding1D computes d + 1
channels and drops the last cosine, tensor2tensor and M2M100 pad a column of zeros, and the code
of the PyTorch tutorial stops with a RuntimeError about shapes.
"""

from __future__ import annotations

from typing import Literal, get_args

import torch
from torch import Tensor

from posenc_ref.device import angle_dtype
from posenc_ref.positions import checked_positions

Layout = Literal["interleaved", "concatenated"]
Exponent = Literal["paper", "tensor2tensor"]


def frequencies(
    dim: int,
    *,
    base: float = 10000.0,
    exponent: Exponent = "paper",
    device: torch.device | str | None = None,
) -> Tensor:
    """Return ω_i in radians per token, shape (dim/2,), from 1 downwards; float64 where possible.

    Source: Vaswani et al. 2017, §3.5; `get_timing_signal_1d` in tensor2tensor.
    Raises:
        ValueError: dim is odd or not positive, base is not positive, exponent is unknown.
    Example:
        >>> from posenc_ref import frequencies
        >>> frequencies(4).tolist(), frequencies(4, exponent="tensor2tensor").tolist()
        ([1.0, 0.01], [1.0, 0.0001])
    """
    if dim < 2 or dim % 2:
        raise ValueError(f"dim must be even and positive (sines and cosines in pairs), got {dim}")
    if not base > 0:
        raise ValueError(f"base must be positive, got {base}")
    _require(exponent, "exponent", get_args(Exponent))
    pairs = dim // 2
    # tensor2tensor's max(…, 1) keeps the one frequency of dim = 2 at 1
    steps = pairs if exponent == "paper" else max(pairs - 1, 1)
    i = torch.arange(pairs, dtype=angle_dtype(device), device=device)
    return base ** (-i / steps)


def sinusoidal(
    positions: Tensor,
    dim: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    exponent: Exponent = "paper",
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return the table of encodings: positions (L,) → (L, dim); with a batch, (B, L) → (B, L, dim).

    The table lies where the positions lie. Every row has norm √(dim/2), and PE(p) · PE(q)
    depends on p - q alone.

    Source: Vaswani et al. 2017, §3.5.
    Raises:
        TypeError: positions are 16-bit floats or not real numbers; dtype is not a float.
        ValueError: as `frequencies`; layout is unknown.
    Example:
        >>> from posenc_ref import positions, sinusoidal
        >>> sinusoidal(positions(2), 2).round(decimals=3).tolist()
        [[0.0, 1.0], [0.8410000205039978, 0.5400000214576721]]
    """
    _require_result(layout, dtype)
    positions = checked_positions(positions)
    omega = frequencies(dim, base=base, exponent=exponent, device=positions.device)
    angles = positions.to(omega.dtype)[..., None] * omega  # (L, dim / 2)
    sin, cos = angles.sin(), angles.cos()
    if layout == "interleaved":
        table = torch.stack([sin, cos], dim=-1).flatten(-2)  # (L, dim / 2, 2) → (L, dim)
    else:
        table = torch.cat([sin, cos], dim=-1)
    return table.to(dtype)


def shift_matrix(
    offset: float,
    dim: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    exponent: Exponent = "paper",
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
) -> Tensor:
    """Return M_k, shape (dim, dim), with PE(p + k) = M_k PE(p) for every p; k is `offset`.

    It turns the pair (sin, cos) of frequency ω by the angle kω (addition theorems), so it is
    orthogonal, M_j M_k = M_{j+k}, and it does not depend on p. For a table of rows: table @ M_k.T.

    Source: Vaswani et al. 2017, §3.5: PE(p + k) is a linear function of PE(p).
    Raises:
        TypeError, ValueError: as `sinusoidal`.
    Example:
        >>> from posenc_ref import positions, shift_matrix, sinusoidal
        >>> table = sinusoidal(positions(8), 4)
        >>> torch.allclose(table[:5] @ shift_matrix(3, 4).T, table[3:], atol=1e-6)
        True
    """
    _require_result(layout, dtype)
    at = torch.tensor([offset], dtype=angle_dtype(device), device=device)
    row = sinusoidal(at, dim, base=base, layout="concatenated", exponent=exponent, dtype=at.dtype)
    sin, cos = row[0].chunk(2)  # of kω, (dim / 2,) each
    if layout == "interleaved":
        turns = torch.stack([torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)], -2)
        return torch.block_diag(*turns).to(dtype)  # of dim / 2 blocks [[c, s], [-s, c]]
    top = torch.cat([cos.diag(), sin.diag()], dim=1)
    bottom = torch.cat([-sin.diag(), cos.diag()], dim=1)
    return torch.cat([top, bottom]).to(dtype)


def _require_result(layout: str, dtype: torch.dtype) -> None:
    _require(layout, "layout", get_args(Layout))
    if not dtype.is_floating_point:
        raise TypeError(f"dtype must be a float, sines lie between -1 and 1, got {dtype}")


def _require(value: str, name: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
