"""The angles by which RoPE turns, and their cosine and sine, made once for all layers.

Pair i of the token at position p turns by pω_i radians. Positions and frequencies are arguments:
decoding, left padding and every rotary scaling are other numbers for the same two functions.
Angles are float64 where possible; cosine and sine are float32 or better, whatever x is.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions, require_tensors
from posenc_ref.scalars import require_finite


class Rotations(NamedTuple):
    """Cosine and sine of the angles, (L, D/2) or (B, L, D/2), and what is made of them.

        cos θ,   sin θ,   cos θ + i sin θ = e^{iθ},   times the attention factor

    keep and cross, (…, L, D), are for halves of a head: x · keep + (x, halves swapped) · cross.

    Source: none, plumbing of `rotate`; made by `rotations`.
    Example:
        >>> from posenc_ref import rotations
        >>> rotations(torch.zeros(1, 1)).factors.item()
        (1+0j)
    """

    cos: Tensor
    sin: Tensor
    factors: Tensor
    keep: Tensor
    cross: Tensor

    def scaled(self, scale: Tensor) -> Rotations:
        """Return them times `scale`, of their shape.

        Raises:
            TypeError: scale is no tensor.
            ValueError: its shape is another.
        """
        require_tensors(scale=scale)
        if scale.shape != self.cos.shape:
            shapes = f"{tuple(scale.shape)} and {tuple(self.cos.shape)}"
            raise ValueError(f"scale and angles must be alike: {shapes}")
        return finished(self.cos * scale, self.sin * scale)


def rope_angles(positions: Tensor, frequencies: Tensor) -> Tensor:
    """Return positions times frequencies in radians: (L,) → (L, D/2); (B, L) → (B, L, D/2).

        θ[…, l, i] = p_l ω_i

    Frequencies are radians per token, (D/2,): `frequencies(dim, base=…)` or what a scaling gives.

    Source: Su et al. 2021, §3.2.2, eq. (15): mθ_i.
    Raises:
        TypeError: positions are 16-bit floats or no numbers; frequencies are not floats.
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
    angles: Tensor, *, attention_factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Rotations:
    """Return cosine and sine of the angles, (…, L, D/2) each: made once, for all layers.

        f cos θ,   f sin θ,   f = attention_factor

    The factor multiplies q and k alike, so scores grow by its square (YaRN, LongRoPE).

    Source: YaRN, Peng et al. 2023, §3.4, eq. (22), for the factor.
    Raises:
        TypeError: angles or dtype are not float32 or float64; attention_factor is no real number.
        ValueError: angles are one number; attention_factor is several, or not finite.
    Example:
        >>> from posenc_ref import rotations
        >>> rotations(torch.zeros(1, 2), attention_factor=1.5).cos.tolist()
        [[1.5, 1.5]]
    """
    require_tensors(angles=angles)
    for given in (angles.dtype, dtype):
        if given not in (torch.float32, torch.float64):
            raise TypeError(f"angles and dtype must be float32 or float64, got {given}")
    require_finite(attention_factor=attention_factor)
    cos, sin = ((f(angles) * attention_factor).to(dtype) for f in (torch.cos, torch.sin))
    return finished(cos, sin)


def require_frequencies(frequencies: Tensor) -> None:
    """Say that frequencies are none.

    Raises:
        TypeError: not a tensor of float32 or float64.
        ValueError: not (D/2,).
    """
    require_tensors(frequencies=frequencies)
    if frequencies.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"frequencies must be float32 or float64, got {frequencies.dtype}")
    if frequencies.dim() != 1:
        raise ValueError(f"frequencies must be (D/2,), got {tuple(frequencies.shape)}")


def finished(cos: Tensor, sin: Tensor) -> Rotations:
    """Return the rotations with these cosines and sines, (…, L, D/2) each.

    Source: none, plumbing of `rotate`.
    Raises:
        ValueError: their shapes differ, or they have none.
    """
    if not cos.dim():
        raise ValueError("angles must be (…, L, D/2), got ()")
    if cos.shape != sin.shape:
        raise ValueError(f"cos and sin must be alike: {tuple(cos.shape)}, {tuple(sin.shape)}")
    keep, cross = torch.cat((cos, cos), dim=-1), torch.cat((-sin, sin), dim=-1)
    return Rotations(cos, sin, torch.complex(cos, sin), keep, cross)
