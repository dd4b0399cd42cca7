"""RoPE-Mixed, Heo et al. 2024: wave vectors in any direction, different ones for each head.

    θ_h,i(y, x) = α_h,i y + β_h,i x,   the general solution on a grid (chapter 10), where axial RoPE
                                       has α = 0 or β = 0

The wave vectors are learned. They start as two families at a right angle, turned by a different
angle for each head, with the magnitudes base^(-4i/D), i = 0 … D/4 - 1, and a base of 10: an image
has tens of patches a side, not thousands. The paper learns them for each layer.

Here the row comes first, as in `axial_angles`; upstream (x first, then y) it comes second.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_integers
from posenc_ref.sinusoidal import frequencies
from posenc_ref.tensors import require_tensors, require_wide


def mixed_waves(turns: Tensor, dim: int, *, base: float = 10.0) -> Tensor:
    """Return wave vectors (2, H, dim/2), radians per row and per column, to begin training with.

        α = [m sin a | m cos a],   β = [m cos a | -m sin a],   m_i = base^(-4i/dim)

    turns: the angle a of each head in radians, (H,); upstream draws it from 0 … 2π.

    Source: `init_random_2d_freqs` in naver-ai/rope-vit and timm.
    Raises:
        TypeError: turns are not float32 or float64; as `frequencies`.
        ValueError: turns are not (H,); dim is not divisible by 4; as `frequencies`.
    Example:
        >>> from posenc_ref import mixed_waves
        >>> mixed_waves(torch.zeros(1), dim=4).tolist()  # axial: a pair for each axis
        [[[0.0, 1.0]], [[1.0, -0.0]]]
    """
    require_integers(dim=dim)
    require_tensors(turns=turns)
    require_wide(turns=turns.dtype)
    if turns.dim() != 1:
        raise ValueError(f"turns must be (H,), got {tuple(turns.shape)}")
    if dim < 4 or dim % 4:
        raise ValueError(f"dim must be divisible by 4, got {dim}")
    magnitudes = frequencies(dim // 2, base=base, device=turns.device).to(turns.dtype)
    sin, cos = (part[:, None] * magnitudes for part in (turns.sin(), turns.cos()))  # (H, dim/4)
    return torch.stack((torch.cat((sin, cos), dim=-1), torch.cat((cos, -sin), dim=-1)))


def mixed_angles(rows: Tensor, columns: Tensor, waves: Tensor) -> Tensor:
    """Return angles for `rotate`, (B, H, L, D/2), B = 1 for positions (L,).

        θ[b, h, l, i] = y_bl α_hi + x_bl β_hi

    waves: (2, H, D/2), α and β in radians per row and per column.

    Source: Heo et al. 2024; `get_mixed_freqs` in timm.
    Raises:
        TypeError: as `checked_positions`; waves are not float32 or float64.
        ValueError: rows and columns are not both (L,) or both (B, L); waves are not (2, H, D/2).
    Example:
        >>> from posenc_ref import mixed_angles, mixed_waves
        >>> at = torch.tensor([0, 1]), torch.tensor([5, 5])
        >>> mixed_angles(*at, mixed_waves(torch.zeros(1), dim=4)).tolist()
        [[[[5.0, 0.0], [5.0, 1.0]]]]
    """
    rows, columns = (checked_positions(axis) for axis in (rows, columns))
    require_tensors(waves=waves)
    require_wide(waves=waves.dtype)
    if rows.shape != columns.shape or rows.dim() not in (1, 2):
        shapes = f"{tuple(rows.shape)} and {tuple(columns.shape)}"
        raise ValueError(f"rows and columns must be (L,) or (B, L) alike, got {shapes}")
    if waves.dim() != 3 or len(waves) != 2:
        raise ValueError(f"waves must be (2, H, D/2), got {tuple(waves.shape)}")
    y, x = (axis.to(waves.dtype).reshape(-1, 1, rows.shape[-1], 1) for axis in (rows, columns))
    return y * waves[0][:, None] + x * waves[1][:, None]
