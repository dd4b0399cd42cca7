"""Sinusoids of a grid, MAE's "sincos2d" (He et al. 2022): a sinusoidal row for each axis, joined.

    [sin y ω | cos y ω | sin x ω | cos x ω],   ω of dimension d/2

Which axis comes first is the order of the positions that you hand over. The checkpoints of ViT-MAE
have the columns first: in `get_2d_sincos_pos_embed` of facebookresearch/mae "emb_h" reads the first
of `meshgrid(grid_w, grid_h)`, the columns, which Hugging Face transformers calls a "naming bug" and
keeps for them, while its `build_2d_sinusoidal_position_embedding` puts the rows first.
A class token's row of zeros is not part of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_ref.scalars import require_integers
from posenc_ref.sinusoidal import sinusoidal
from posenc_ref.tensors import require_tensors


def axial_sinusoidal(
    positions: Sequence[Tensor],
    dim: int,
    *,
    base: float = 10000.0,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return the table (…, L, dim) for positions (…, L) on each axis, in this order.

        [PE(p^(1)) | PE(p^(2)) | …],   PE as `sinusoidal`, "concatenated", with dim / axes channels

    Source: `build_2d_sinusoidal_position_embedding` in Hugging Face transformers (ViT-MAE).
    Raises:
        TypeError: as `sinusoidal`; an axis is not a tensor.
        ValueError: as `sinusoidal`; there is no axis, positions have different shapes, or dim does
            not divide into an even number of channels for each axis.
    Example:
        >>> from posenc_ref import axial_sinusoidal
        >>> rows, columns = torch.tensor([0, 1]), torch.tensor([0, 0])
        >>> axial_sinusoidal((rows, columns), 4).round(decimals=2).tolist()
        [[0.0, 1.0, 0.0, 1.0], [0.8399999737739563, 0.5400000214576721, 0.0, 1.0]]
    """
    for axis in positions:
        require_tensors(positions=axis)
    require_integers(dim=dim)
    shapes = [tuple(axis.shape) for axis in positions]
    if len(set(shapes)) != 1 or () in shapes:
        raise ValueError(f"every axis needs positions (…, L) of one shape, got {shapes}")
    if dim < 1 or dim % (2 * len(positions)):
        raise ValueError(f"dim must be divisible by {2 * len(positions)}, got {dim}")
    share = dim // len(positions)
    tables = (
        sinusoidal(axis, share, base=base, layout="concatenated", dtype=dtype) for axis in positions
    )
    return torch.cat(list(tables), dim=-1)
