"""Partial RoPE: the first r channels of each head turn, the other D - r pass as they are.

GPT-J (r = 64 of 256, interleaved), GPT-NeoX (a quarter, half layout), GLM (a half, interleaved).
The frequencies have r as the denominator, `frequencies(r)`: with D there (`frequencies(D)[: r/2]`)
the slowest pair is faster: at r = 16 and D = 64 its angle is 1.3e-1 radians a token, not 3.2e-4.
Those are the frequencies that Hugging Face transformers calls "proportional" (proportional.py),
which in layout "half" turns other channels, too. r is read off the angles.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.rope import Layout, rotate
from posenc_ref.rope_angles import Rotations
from posenc_ref.tensors import require_tensors


def rotate_partial(
    x: Tensor, angles: Tensor | Rotations, *, layout: Layout, attention_factor: float = 1.0
) -> Tensor:
    """Return x (B, H, L, D) with its first r channels turned by angles (…, L, r/2), the rest as is.

        [R(θ) x_{1…r} | x_{r+1…D}],   R as `rotate`

    Source: `gptj/modeling_gptj.py`, `gpt_neox/modeling_gpt_neox.py` in Hugging Face transformers.
    Raises:
        TypeError, ValueError: as `rotate`; r is greater than D.
    Example:
        >>> from posenc_ref import rotate_partial
        >>> x, half_turn = torch.ones(1, 1, 1, 6), torch.full((1, 1), torch.pi)
        >>> rotate_partial(x, half_turn, layout="half").flatten().round().tolist()
        [-1.0, -1.0, 1.0, 1.0, 1.0, 1.0]
    """
    table = angles.cos if isinstance(angles, Rotations) else angles
    require_tensors(x=x, angles=table)
    if x.dim() != 4 or not table.dim():
        shapes = f"{tuple(x.shape)} and {tuple(table.shape)}"
        raise ValueError(f"x (B, H, L, D) and angles (…, L, r/2) disagree: {shapes}")
    is_whole = isinstance(angles, Rotations) and layout == "half"
    turning = table.shape[-1] * (1 if is_whole else 2)
    if turning > x.shape[-1]:
        raise ValueError(f"angles turn {turning} channels, x has {x.shape[-1]}: {tuple(x.shape)}")
    turned = rotate(x[..., :turning], angles, layout=layout, attention_factor=attention_factor)
    return torch.cat((turned, x[..., turning:]), dim=-1)
