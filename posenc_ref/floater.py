"""FLOATER, Liu et al. 2020: the encoding of a position is where a learned flow has carried it.

    dp/dt = h(t, p),   p(0) learned,   row i of the table = p(i Δ),  Δ = 0.1

Defined at every length and between tokens, and with parameters that do not grow with length. The
authors integrate with an adaptive solver (a fork of torchdiffeq); here it is the classical
Runge-Kutta method of fourth order with fixed steps, which agrees to a tolerance and can be read.

`floater` works with torch.compile (whole), torch.export and torch.vmap. `FloaterEmbedding` reads
the largest position to know how far to integrate: it compiles in pieces (fullgraph=True raises),
does not export, and vmap over positions raises; it takes a batch of positions as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_integers, require_reals
from posenc_ref.tensors import require_floats

Flow = Callable[[Tensor, Tensor], Tensor]


def floater(
    flow: Flow, initial: Tensor, length: int, *, step: float = 0.1, parts: int = 1
) -> Tensor:
    """Return p(0), p(Δ), …, (length, dim): each Δ = step is taken in `parts` pieces.

        dp/dt = flow(t, p)

    Source: Liu et al. 2020, §3.1, eq. (6).
    Raises:
        TypeError: initial is not of floats: times get its dtype.
        ValueError: initial is not (dim,); length, step or parts is not positive and finite; flow
            gives another shape.
    Example:
        >>> from posenc_ref import floater
        >>> table = floater(lambda t, p: -p, torch.ones(1), 3, step=0.5)
        >>> table.flatten().round(decimals=2).tolist()  # about exp(-t)
        [1.0, 0.6100000143051147, 0.3700000047683716]
    """
    require_floats(initial=initial)
    require_integers(length=length, parts=parts)
    require_reals(step=step)
    if initial.dim() != 1 or length < 1 or parts < 1 or not 0 < step < math.inf:
        sizes = f"{tuple(initial.shape)}, {length}, {step} and {parts}"
        raise ValueError(f"initial (dim,), positive length, step and parts are needed, got {sizes}")
    small, rows = step / parts, [initial]
    for number in range((length - 1) * parts):
        t = torch.tensor(number * small, dtype=initial.dtype, device=initial.device)
        p = rows[-1]
        k1 = flow(t, p)
        if k1.shape != p.shape:
            raise ValueError(f"flow must give {tuple(p.shape)}, got {tuple(k1.shape)}")
        k2 = flow(t + small / 2, p + small / 2 * k1)
        k3 = flow(t + small / 2, p + small / 2 * k2)
        k4 = flow(t + small, p + small * k3)
        rows.append(p + small / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return torch.stack(rows[::parts])


class FloaterEmbedding(nn.Module):
    """A small network as the flow, and p(0): positions (L,) or (B, L), integers → (…, dim).

        dp/dt = network(t, p),   p(0) learned

    Source: Liu et al. 2020, §3.1; one network for all layers, without its per-layer variants.
    Raises:
        TypeError: a size is not an integer.
        ValueError: a size or step is not positive and finite.
    Example:
        >>> from posenc_ref import FloaterEmbedding, positions
        >>> FloaterEmbedding(dim=4)(positions(3, start=5)).shape
        torch.Size([3, 4])
    """

    def __init__(self, dim: int, *, width: int = 32, step: float = 0.1) -> None:
        """Make the network, and p(0) drawn from N(0, 0.02²)."""
        super().__init__()
        require_integers(dim=dim, width=width)
        require_reals(step=step)
        if dim < 1 or width < 1 or not 0 < step < math.inf:
            raise ValueError(f"dim, width and step must be positive, got {dim}, {width}, {step}")
        self.step = step
        self.initial = nn.Parameter(0.02 * torch.randn(dim))
        self.network = nn.Sequential(nn.Linear(dim + 1, width), nn.Tanh(), nn.Linear(width, dim))

    def flow(self, t: Tensor, p: Tensor) -> Tensor:
        """Return dp/dt at time t, (dim,)."""
        return self.network(torch.cat((p, t[None])))

    def forward(self, positions: Tensor) -> Tensor:
        """Return the rows of these positions; integrates up to the largest.

        Raises:
            TypeError: positions are not integers.
            IndexError: a position is negative.
        """
        positions = checked_positions(positions, integral=True)
        if positions.numel() and positions.min() < 0:
            raise IndexError(f"position {positions.min().item()} lies before the first")
        length = int(positions.max()) + 1 if positions.numel() else 1
        return floater(self.flow, self.initial, length, step=self.step)[positions]
