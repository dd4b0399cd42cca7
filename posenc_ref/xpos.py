"""xPos, Sun et al. 2023: RoPE whose pairs also shrink with distance, the fast ones most.

    q at position n: turned, times ζ_i^(n/S);   k at m: turned, times ζ_i^(-m/S)
    ζ_i = (2i + 0.4 D) / (1.4 D) < 1,   S = 512

so pair i of the score is multiplied by ζ_i^((n-m)/S): decay for the past, *growth* for the future
(× 150 at 2048 keys ahead for the fastest of D = 64): causal attention only. Only n - m matters for
scores, but the factors themselves overflow: uncentred keys pass float16 at 4532. Libraries move
the centre to the middle of the text; `center` names it. Compare scores, never q or k.
Constants are those of torchscale; the paper's equation has not been compared.
"""

from __future__ import annotations

from typing import Literal, get_args

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions
from posenc_ref.rope import Layout, rotate
from posenc_ref.rope_angles import rope_angles, rotations
from posenc_ref.sinusoidal import frequencies

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

    Give queries and keys the same `center`.

    Source: Sun et al. 2023, §3; `XPOS` in microsoft/torchscale.
    Raises:
        TypeError, ValueError: as `rotate`; role is unknown; scale_base is not positive.
    Example:
        >>> from posenc_ref import positions, rotate_xpos
        >>> x = torch.ones(1, 1, 1, 2)
        >>> turned = rotate_xpos(x, positions(1, start=512), role="query", layout="half")
        >>> round((turned.norm() / x.norm()).item(), 4)  # 0.4 / 1.4
        0.2857
    """
    if role not in get_args(Role):
        raise ValueError(f"role must be one of {', '.join(get_args(Role))}, got {role!r}")
    if not scale_base > 0:
        raise ValueError(f"scale_base must be positive, got {scale_base}")
    dim, exponent = x.shape[-1], (checked_positions(positions) - center) / scale_base
    omega = frequencies(dim, base=base, device=x.device)
    exact = torch.promote_types(x.dtype, torch.float32)
    turns = rotations(rope_angles(positions, omega), dtype=exact)
    zeta = (torch.arange(0, dim, 2, dtype=omega.dtype, device=x.device) + 0.4 * dim) / (1.4 * dim)
    power = exponent if role == "query" else -exponent
    scale = (zeta ** power[..., None]).to(exact)  # (…, L, D/2)
    return rotate(x, turns.scaled(scale), layout=layout)
