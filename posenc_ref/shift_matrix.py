"""The matrix that moves a sinusoidal encoding by an offset, Vaswani et al. 2017, §3.5.

    PE(p + k) = M_k PE(p)   for every p

M_k is made of rotations, one for each frequency: relative position is a linear map of the absolute
encoding, and the same rotations, applied to queries and keys, are RoPE.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.device import angle_dtype
from posenc_ref.scalars import require_finite
from posenc_ref.sinusoidal import Exponent, Layout, require_result, sinusoidal


def shift_matrix(
    offset: float,
    dim: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    exponent: Exponent = "paper",
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
) -> Tensor:
    """Return M_k, shape (dim, dim), for the offset k; for a table of rows: table @ M_k.T.

        PE(p + k) = M_k PE(p)   for every p

    It turns the pair (sin, cos) of frequency ω by the angle kω (addition theorems), so it is
    orthogonal, M_j M_k = M_{j+k}, and it does not depend on p.

    Source: Vaswani et al. 2017, §3.5: PE(p + k) is a linear function of PE(p).
    Raises:
        TypeError, ValueError: as `sinusoidal`; offset is not a finite number.
    Example:
        >>> from posenc_ref import positions, shift_matrix, sinusoidal
        >>> table = sinusoidal(positions(8), 4)
        >>> torch.allclose(table[:5] @ shift_matrix(3, 4).T, table[3:], atol=1e-6)
        True
    """
    require_result(layout, dtype)
    require_finite(offset=offset)
    at = torch.tensor([offset], dtype=angle_dtype(device), device=device)
    row = sinusoidal(at, dim, base=base, layout="concatenated", exponent=exponent, dtype=at.dtype)
    sin, cos = row[0].chunk(2)  # of kω, (dim / 2,) each
    if layout == "interleaved":
        turns = torch.stack([torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)], -2)
        return torch.block_diag(*turns).to(dtype)  # of dim / 2 blocks [[c, s], [-s, c]]
    top = torch.cat([cos.diag(), sin.diag()], dim=1)
    bottom = torch.cat([-sin.diag(), cos.diag()], dim=1)
    return torch.cat([top, bottom]).to(dtype)
