"""Axial RoPE: some pairs of a head turn by the row of an image patch, the others by its column.

The frequencies are those of a head of half the size, `frequencies(D // 2)`, used twice: the first
D/4 pairs for one axis, the next D/4 for the other. In layout "half" this is the vision tower of
Qwen2-VL (height, then width); in "interleaved", `get_axial_freqs` of rotary-embedding-torch. More
axes (video) are more positions in the list.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_ref.rope_angles import rope_angles
from posenc_ref.tensors import require_tensors


def axial_angles(positions: Sequence[Tensor], frequencies: Tensor) -> Tensor:
    """Return angles for `rotate`, (…, L, axes·F), from positions (…, L) for each axis.

        θ[l] = [p^(1)_l ω | p^(2)_l ω | …],   p^(a) the positions on axis a, ω (F,)

    Source: `Qwen2VLVisionRotaryEmbedding` in Hugging Face transformers.
    Raises:
        TypeError: as `rope_angles`.
        ValueError: there is no axis, or positions have different shapes; as `rope_angles`.
    Example:
        >>> from posenc_ref import axial_angles, frequencies
        >>> rows, columns = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 0, 1])
        >>> axial_angles((rows, columns), frequencies(2)).tolist()
        [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    for axis in positions:
        require_tensors(positions=axis, frequencies=frequencies)
    shapes = [tuple(axis.shape) for axis in positions]
    if len(set(shapes)) != 1 or () in shapes:
        raise ValueError(f"every axis needs positions (…, L) of one shape, got {shapes}")
    return torch.cat([rope_angles(axis, frequencies) for axis in positions], dim=-1)
