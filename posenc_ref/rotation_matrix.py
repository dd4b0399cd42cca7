"""The matrix by which RoPE turns a head at position p: d/2 blocks of two by two on the diagonal."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.rope import rotate
from posenc_ref.rope_angles import Layout, rope_angles
from posenc_ref.scalars import require_finite
from posenc_ref.sinusoidal import frequencies
from posenc_ref.tensors import require_float_dtype


def rotation_matrix(
    offset: float,
    dim: int,
    *,
    layout: Layout = "interleaved",
    base: float = 10000.0,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
) -> Tensor:
    """Return R_p for p = `offset`, shape (dim, dim), to look at.

        R_p x = x turned by pω

    Source: Su et al. 2021, §3.2.2, eq. (15).
    Raises:
        TypeError: dtype is not a float dtype; as `frequencies`; offset is not a real number.
        ValueError: as `frequencies`; layout is unknown; offset is not finite.
    Example:
        >>> from posenc_ref import rotation_matrix
        >>> rotation_matrix(1, 2).round(decimals=3).tolist()
        [[0.5400000214576721, -0.8410000205039978], [0.8410000205039978, 0.5400000214576721]]
    """
    require_float_dtype(dtype=dtype)
    require_finite(offset=offset)
    angles = rope_angles(torch.tensor([offset], dtype=torch.float64), frequencies(dim, base=base))
    rows = torch.eye(dim, dtype=torch.float64)[:, None, None]  # each unit vector as a batch entry
    return rotate(rows, angles, layout=layout)[:, 0, 0].T.to(device, dtype)
