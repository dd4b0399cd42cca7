"""xPos, Sun et al. 2023: RoPE whose pairs also shrink with distance, the fast ones most.

    q at position n: turned, times ζ_i^(n/S);   k at m: turned, times ζ_i^(-m/S)
    ζ_i = (2i + 0.4 D) / (1.4 D) < 1,   S = 512

so pair i of the score is multiplied by ζ_i^((n-m)/S): decay for the past, *growth* for the future
(× 150 at 2048 keys ahead for the fastest of D = 64): causal attention only. Only n - m matters for
scores, but keys themselves overflow: uncentred ones pass float16 at 4532 and float32 at 36 258,
which is an error here. Libraries move the centre to the middle of the text; `center` sets it.
Compare scores, never q or k. (In rotary-embedding-torch `rotate_queries_with_cached_keys` centres q
and k differently: a decode step there is not the last row of the full pass.)

What was compared: the class `XPOS` of torchscale 0.3.0, run, whose scores these equal within 1e-5
in float32 (the golden); not the equation of the paper.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions
from posenc_ref.rope import Layout, rotate
from posenc_ref.rope_angles import rope_angles, scaled_rotations
from posenc_ref.scalars import require_choice, require_finite
from posenc_ref.sinusoidal import frequencies
from posenc_ref.tensors import false_somewhere, require_floats

Role = Literal["query", "key"]


def rotate_xpos(
    x: Tensor,
    positions: Tensor,
    *,
    role: Role,
    layout: Layout,
    base: float = 10000.0,
    scale_base: float = 512.0,
    center: float = 0.0,
) -> Tensor:
    """Return queries or keys x (B, H, L, D), turned and scaled; positions are (L,) or (B, L).

        q → R(pω) q ⊙ ζ^((p - c)/S),   k → R(pω) k ⊙ ζ^(-(p - c)/S);   c, S = center, scale_base

    Give queries and keys the same `center`.

    Source: Sun et al. 2023, as `XPOS` of microsoft/torchscale computes it
    (torchscale/component/xpos_relative_position.py).
    Raises:
        TypeError: x is not floating point; as `rope_angles`.
        ValueError: as `rotate` and `frequencies`; role is unknown; scale_base is not positive, or
            it or center is not finite; a position is so far from center that x overflows.
    Example:
        >>> from posenc_ref import positions, rotate_xpos
        >>> x = torch.ones(1, 1, 1, 2)
        >>> turned = rotate_xpos(x, positions(1, start=512), role="query", layout="half")
        >>> round((turned.norm() / x.norm()).item(), 4)  # 0.4 / 1.4
        0.2857
    """
    require_choice(Role, role=role)
    require_finite(scale_base=scale_base, center=center)
    if not 0 < scale_base < math.inf:
        raise ValueError(f"scale_base must be positive and finite, got {scale_base}")
    require_floats(x=x)
    if x.dim() != 4:
        raise ValueError(f"x must be (B, H, L, D), got {tuple(x.shape)}")
    positions, shape = checked_positions(positions), tuple(x.shape)
    if tuple(positions.shape) not in (shape[2:3], (shape[0], shape[2])):
        raise ValueError(f"x and positions disagree: {shape} and {tuple(positions.shape)}")
    dim, exponent = x.shape[-1], (positions - center) / scale_base
    omega = frequencies(dim, base=base, device=x.device)
    exact = torch.promote_types(x.dtype, torch.float32)
    angles = rope_angles(positions, omega)
    zeta = (torch.arange(0, dim, 2, dtype=omega.dtype, device=x.device) + 0.4 * dim) / (1.4 * dim)
    power = exponent if role == "query" else -exponent
    scale = zeta ** power[..., None]  # (…, L, D/2)
    turned = rotate(x, scaled_rotations(angles, scale, layout, exact), layout=layout)
    if false_somewhere(turned.isfinite()) and not false_somewhere(x.isfinite()):
        far = f"so far from center={center} a {role} overflows {x.dtype}"
        raise ValueError(f"{far}: center queries and keys in the middle of the text")
    return turned
