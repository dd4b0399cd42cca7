"""The angles by which RoPE turns, and their cosine and sine, made once for all layers.

Pair i of the token at position p turns by pω_i radians. Positions and frequencies are arguments:
decoding, left padding and every rotary scaling pass other numbers to the same two functions.
Angles are float64 where possible; cosine and sine are float32 or better, whatever x is.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_choice, require_finite
from posenc_ref.tensors import require_tensors, require_wide

Layout = Literal["interleaved", "half"]


class Rotations(NamedTuple):
    """Cosine and sine of the angles θ as a layout reads them, times the attention factor.

        interleaved: cos θ, sin θ,   (L, D/2) or (B, L, D/2)
        half: [cos θ | cos θ], [-sin θ | sin θ],   (L, D) or (B, L, D)

    Source: none, plumbing of `rotate`; made by `rotations`.
    Example:
        >>> from posenc_ref import rotations
        >>> rotations(torch.zeros(1, 1), "half")
        Rotations(cos=tensor([[1., 1.]]), sin=tensor([[-0., 0.]]))
    """

    cos: Tensor
    sin: Tensor


def rope_angles(positions: Tensor, frequencies: Tensor) -> Tensor:
    """Return positions times frequencies in radians: (L,) → (L, D/2); (B, L) → (B, L, D/2).

        θ[…, l, i] = p_l ω_i

    Frequencies are radians per token, (D/2,): `frequencies(dim, base=…)` or what a scaling gives.

    Source: Su et al. 2021, §3.2.2, eq. (15): mθ_i.
    Raises:
        TypeError: positions are 16-bit floats or not numbers; frequencies are not float32 or
            float64.
        ValueError: frequencies are not (D/2,).
    Example:
        >>> from posenc_ref import frequencies, positions, rope_angles
        >>> rope_angles(positions(3), frequencies(4)).tolist()
        [[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]]
    """
    positions = checked_positions(positions)
    require_frequencies(frequencies)
    return positions.to(frequencies.dtype)[..., None] * frequencies


def rotations(
    angles: Tensor,
    layout: Layout,
    *,
    attention_factor: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> Rotations:
    """Return cosine and sine of angles (…, L, D/2), made once for all layers of this layout.

        f cos θ,   f sin θ,   f = attention_factor

    The factor multiplies q and k alike, so scores grow by its square (YaRN, LongRoPE).

    Source: YaRN, Peng et al. 2023, §3.4, eq. (22), for the factor.
    Raises:
        TypeError: angles or dtype are not float32 or float64; attention_factor is not a real
            number.
        ValueError: layout is unknown; angles have no dimension; attention_factor is several
            numbers, or not finite.
    Example:
        >>> from posenc_ref import rotations
        >>> rotations(torch.zeros(1, 2), "interleaved", attention_factor=1.5).cos.tolist()
        [[1.5, 1.5]]
    """
    require_finite(attention_factor=attention_factor)
    return scaled_rotations(angles, attention_factor, layout, dtype)


def scaled_rotations(
    angles: Tensor, scale: Tensor | float, layout: Layout, dtype: torch.dtype
) -> Rotations:
    """Return `rotations` with a scale for each angle, (…, L, D/2), as in xPos, or one for all."""
    require_tensors(angles=angles)
    require_wide(angles=angles.dtype, dtype=dtype)
    require_choice(Layout, layout=layout)
    if not angles.dim():
        raise ValueError("angles must be (…, L, D/2), got ()")
    cos, sin = ((f(angles) * scale).to(dtype) for f in (torch.cos, torch.sin))
    if layout == "interleaved":
        return Rotations(cos, sin)
    return Rotations(torch.cat((cos, cos), dim=-1), torch.cat((-sin, sin), dim=-1))


def require_frequencies(frequencies: Tensor) -> None:
    """Raise an error unless frequencies are (D/2,), float32 or float64.

    Raises:
        TypeError: not a tensor of float32 or float64.
        ValueError: not (D/2,).
    """
    require_tensors(frequencies=frequencies)
    require_wide(frequencies=frequencies.dtype)
    if frequencies.dim() != 1:
        raise ValueError(f"frequencies must be (D/2,), got {tuple(frequencies.shape)}")
