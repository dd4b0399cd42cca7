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

The paper does not define an odd d, so `odd` names what is done with it. "refused": an error.
"padded": d - 1 channels and a column of zeros (tensor2tensor, M2M100). "cut": d + 1 channels
without the last (PositionalEncoding1D, where that is a cosine). Marian in Hugging Face transformers
has other frequencies then, ω_i = base^(-2i/d) with the odd d and one sine more, and is not offered.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import pad

from posenc_ref.device import angle_dtype
from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_choice, require_integers, require_reals
from posenc_ref.tensors import require_float_dtype

Layout = Literal["interleaved", "concatenated"]
Exponent = Literal["paper", "tensor2tensor"]
Odd = Literal["refused", "padded", "cut"]


def frequencies(
    dim: int,
    *,
    base: float = 10000.0,
    exponent: Exponent = "paper",
    device: torch.device | str | None = None,
) -> Tensor:
    """Return ω_i in radians per token, shape (dim/2,), from 1 downwards; float64 where possible.

        ω_i = base^(-2i/d),   or base^(-i/(d/2 - 1)) by the exponent "tensor2tensor"

    Source: Vaswani et al. 2017, §3.5; `get_timing_signal_1d` in tensor2tensor.
    Raises:
        TypeError: dim is not an integer, or base no number.
        ValueError: dim is odd or not positive, base is not above 1 and finite, exponent is unknown.
    Example:
        >>> from posenc_ref import frequencies
        >>> frequencies(4).tolist(), frequencies(4, exponent="tensor2tensor").tolist()
        ([1.0, 0.01], [1.0, 0.0001])
    """
    require_integers(dim=dim)
    if dim < 2 or dim % 2:
        raise ValueError(f"dim must be even and positive (sines and cosines in pairs), got {dim}")
    require_base(base)
    require_choice(Exponent, exponent=exponent)
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
    odd: Odd = "refused",
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return the table of encodings: positions (L,) → (L, dim); with a batch, (B, L) → (B, L, dim).

        PE(p, 2i) = sin(p ω_i),   PE(p, 2i + 1) = cos(p ω_i),   in layout "interleaved"

    The table lies where the positions lie. With an even dim every row has norm √(dim/2), and
    PE(p) · PE(q) depends on p - q alone.

    Source: Vaswani et al. 2017, §3.5; odd: `get_timing_signal_1d` in tensor2tensor.
    Raises:
        TypeError: positions are 16-bit floats or not real numbers; dtype is not a float.
        ValueError: as `frequencies`; layout or odd is unknown.
    Example:
        >>> from posenc_ref import positions, sinusoidal
        >>> sinusoidal(positions(2), 2).round(decimals=3).tolist()
        [[0.0, 1.0], [0.8410000205039978, 0.5400000214576721]]
    """
    require_result(layout, dtype)
    require_choice(Odd, odd=odd)
    positions = checked_positions(positions)
    require_integers(dim=dim)
    if dim % 2 and dim > 1 and odd != "refused":
        even = dim - 1 if odd == "padded" else dim + 1
        conventions = {"base": base, "layout": layout, "exponent": exponent, "dtype": dtype}
        return pad(sinusoidal(positions, even, **conventions), (0, dim - even))  # -1 cuts
    omega = frequencies(dim, base=base, exponent=exponent, device=positions.device)
    angles = positions.to(omega.dtype)[..., None] * omega  # (L, dim / 2)
    sin, cos = angles.sin(), angles.cos()
    if layout == "interleaved":
        table = torch.stack([sin, cos], dim=-1).flatten(-2)  # (L, dim / 2, 2) → (L, dim)
    else:
        table = torch.cat([sin, cos], dim=-1)
    return table.to(dtype)


def require_base(base: float) -> None:
    """Raise an error unless a base is a number above 1.

    Raises:
        TypeError: base is not a real number.
        ValueError: base is not above 1 and finite.
    """
    require_reals(base=base)
    if not 1 < base < math.inf:
        raise ValueError(f"base must be a finite number greater than 1, got {base}")


def require_result(layout: str, dtype: torch.dtype) -> None:
    """Raise an error if a layout is unknown, or a dtype cannot hold sines.

    Raises:
        TypeError: dtype is not a float.
        ValueError: layout is unknown.
    """
    require_choice(Layout, layout=layout)
    require_float_dtype(dtype=dtype)
