"""FIRE, Li et al. 2024: a small network reads the distance, scaled by how far the query has come.

    bias = f(ψ(i - j) / ψ(max(L, i))),   ψ(x) = ln(c x + 1)

f is a two-layer perceptron with one output per head; c > 0 and the threshold L are learned. Up to
L the bias depends on i - j alone; beyond, the same distance is a smaller share of a longer text,
so it depends on i too. Causal: keys ahead (j > i) get the bias of distance 0 and need a mask.

What was compared: the equation as four later texts quote it (two of them with ψ), not as the paper
prints it; and the class `FIRE` of a third party, mcleish7/arithmetic,
cramming/architectures/embeddings.py at 55af9d5, read line by line. Equal: ψ,
the maximum, the perceptron (ReLU, width 32), c = 0.1 and L = 1 · 512 to begin with. Different
there: 1e-6 is added to the denominator (here to |c| and to the multiplier of L), and keys ahead get
the bias of |i - j|. No package has FIRE; the golden comes from that class.

L is learned as a multiple of a fixed number, as there: an optimizer whose steps are about as large
as its learning rate would hardly move 512 itself.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from posenc_ref.positions import checked_positions, relative_positions
from posenc_ref.scalars import require_integers, require_reals
from posenc_ref.score_inputs import require_numbers
from posenc_ref.tensors import require_floats


def fire_input(q_positions: Tensor, k_positions: Tensor, c: Tensor, threshold: Tensor) -> Tensor:
    """Return ψ(i - j) / ψ(max(L, i)), what the network reads: (Lq, Lk) or (B, Lq, Lk).

        ψ(max(0, i - j)) / ψ(max(L, i)),   ψ(x) = ln(c x + 1)

    c and threshold L are positive scalars. The result is float32 or better.

    Source: Li et al. 2024, as `FIRE` of mcleish7/arithmetic, a third party's, computes it
    (cramming/architectures/embeddings.py).
    Raises:
        TypeError: as `relative_positions`; c or L is not a tensor of floats.
        ValueError: as `relative_positions`; c or L is not a scalar, or not positive and finite.
    Example:
        >>> from posenc_ref import fire_input, positions
        >>> c, threshold = torch.tensor(1.0), torch.tensor(3.0)
        >>> fire_input(positions(1, start=3), positions(4), c, threshold).round(decimals=3).tolist()
        [[1.0, 0.7919999957084656, 0.5, 0.0]]
    """
    require_floats(c=c, threshold=threshold)
    for name, number in (("c", c), ("threshold", threshold)):
        if number.dim():
            raise ValueError(f"{name} must be a scalar, got {tuple(number.shape)}")
        fits = (number > 0) & number.isfinite()
        require_numbers(fits, number, f"{name} must be positive and finite")
    computed = torch.promote_types(c.dtype, torch.float32)  # 16 bits cannot hold positions
    c, threshold = c.to(computed), threshold.to(computed)
    past = (-relative_positions(q_positions, k_positions)).clamp(min=0).to(computed)
    reached = torch.maximum(checked_positions(q_positions).to(computed), threshold)
    return (c * past).log1p() / (c * reached).log1p()[..., None]


class FireBias(nn.Module):
    """FIRE's network, its c and the `multiplier` of its threshold.

        bias = f(ψ(i - j) / ψ(max(L, i))),   (H, Lq, Lk) or (B, H, Lq, Lk)

    Source: Li et al. 2024; sizes and initial values as in `FIRE` of mcleish7/arithmetic.
    Raises:
        TypeError: a size is not an integer.
        ValueError: heads, width or threshold is not positive, or threshold is not finite.
    Example:
        >>> from posenc_ref import FireBias, positions
        >>> FireBias(heads=4)(positions(2), positions(3)).shape
        torch.Size([4, 2, 3])
    """

    def __init__(self, heads: int, *, width: int = 32, threshold: float = 512.0) -> None:
        """Make the network with c = 0.1 and L = 1 · `threshold`."""
        super().__init__()
        require_integers(heads=heads, width=width)
        require_reals(threshold=threshold)
        if heads < 1 or width < 1 or not 0 < threshold < math.inf:
            raise ValueError(
                f"heads, width and threshold must be positive, got {heads}, {width}, {threshold}"
            )
        self.network = nn.Sequential(nn.Linear(1, width), nn.ReLU(), nn.Linear(width, heads))
        self.c = nn.Parameter(torch.tensor(0.1))
        self.multiplier = nn.Parameter(torch.tensor(1.0))
        self.register_buffer("threshold", torch.tensor(float(threshold)))

    def forward(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return the bias (H, Lq, Lk), or (B, H, Lq, Lk) with a batch of positions."""
        c, multiple = self.c.abs() + 1e-6, self.multiplier.abs() + 1e-6  # both stay positive
        share = fire_input(q_positions, k_positions, c, multiple * self.threshold)
        share = share.to(self.network[0].weight.dtype)[..., None]  # (…, Lq, Lk, 1)
        return self.network(share).movedim(-1, -3)
