"""KERPLE, Chi et al. 2022: relative biases from conditionally positive definite kernels.

    log:   -r1 · ln(1 + r2 |i - j|)        power:   -r1 · |i - j|^r2,  0 < r2 ≤ 2

r1, r2 > 0 are learned, one of each per head. "log" is not exponential decay: softmax turns it into
the power law (1 + r2 |i - j|)^(-r1). "power" with r2 = 1 is ALiBi with slope r1.

The published code adds the bias after the scaling, and so does whoever adds what these functions
return. The paper's eq. (1) adds it to q·k before the division by √D: `head_dim=D` divides it too.
The two differ by a factor of r1 only, so each can learn what the other can.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import torch
from torch import Tensor, nn

from posenc_ref.positions import relative_positions
from posenc_ref.scalars import require_integers, require_reals
from posenc_ref.score_inputs import require_numbers
from posenc_ref.tensors import require_tensors

Kernel = Literal["log", "power"]
SMALLEST = 1e-2  # what the published code clamps the parameters to


def kerple_log(
    q_positions: Tensor,
    k_positions: Tensor,
    r1: Tensor,
    r2: Tensor,
    *,
    head_dim: int | None = None,
) -> Tensor:
    """Return the log kernel, (H, Lq, Lk) or (B, H, Lq, Lk); r1 and r2 are (H,), positive.

        -r1 · ln(1 + r2 |i - j|)

    head_dim: None as the published code has it; D divides by √D, as the paper has it.

    Source: Chi et al. 2022, eq. (4); `ParallelKerpleLog` in chijames/KERPLE.
    Raises:
        TypeError: as `relative_positions`; r1 or r2 is not of floats.
        ValueError: as `relative_positions`; r1 and r2 are not (H,); r1, r2 or head_dim is not
            positive and finite.
    Example:
        >>> from posenc_ref import kerple_log, positions
        >>> one = torch.ones(1)
        >>> kerple_log(positions(1, start=2), positions(3), one, one).round(decimals=4).tolist()
        [[[-1.0986000299453735, -0.6930999755859375, -0.0]]]
    """
    distance, r1, r2 = _ready(q_positions, k_positions, r1, r2, head_dim)
    return -r1 * (r2 * distance).log1p()


def kerple_power(
    q_positions: Tensor,
    k_positions: Tensor,
    r1: Tensor,
    r2: Tensor,
    *,
    head_dim: int | None = None,
) -> Tensor:
    """Return the power kernel, (H, Lq, Lk) or (B, H, Lq, Lk); r1 > 0 and 0 < r2 ≤ 2 are (H,).

        -r1 · |i - j|^r2

    head_dim: as `kerple_log`.

    Source: Chi et al. 2022, eq. (3); `ParallelKerplePower` in chijames/KERPLE.
    Raises:
        TypeError, ValueError: as `kerple_log`; r2 is greater than 2.
    Example:
        >>> from posenc_ref import kerple_power, positions
        >>> r1, r2 = torch.tensor([0.5]), torch.tensor([2.0])
        >>> kerple_power(positions(1, start=3), positions(4), r1, r2).tolist()
        [[[-4.5, -2.0, -0.5, -0.0]]]
    """
    distance, r1, r2 = _ready(q_positions, k_positions, r1, r2, head_dim)
    require_numbers(r2 <= 2, r2, "r2 must be at most 2")
    # 0^r2 has no derivative in r2: where a distance is 0 the bias is 0 whatever r2
    far = distance.clamp(min=torch.finfo(distance.dtype).tiny) ** r2
    return -r1 * torch.where(distance > 0, far, 0.0)


class KerpleBias(nn.Module):
    """KERPLE with its two parameters per head, kept within their range.

        `kerple_log` or `kerple_power` = (H, Lq, Lk) or (B, H, Lq, Lk),   r1, r2 (H,) learned

    Source: Chi et al. 2022, §4; initial values and limits of chijames/KERPLE.
    Raises:
        TypeError: a size is not an integer.
        ValueError: heads or head_dim is not positive, kernel is unknown.
    Example:
        >>> from posenc_ref import KerpleBias, positions
        >>> KerpleBias(heads=4, kernel="log")(positions(2), positions(3)).shape
        torch.Size([4, 2, 3])
    """

    def __init__(self, heads: int, *, kernel: Kernel, head_dim: int | None = None) -> None:
        """Draw r1 from (0, 2) and r2 from (0, 1) for "log", the other way round for "power"."""
        super().__init__()
        require_integers(heads=heads)
        if heads < 1 or kernel not in get_args(Kernel):
            names = " or ".join(get_args(Kernel))
            raise ValueError(f"heads must be positive, kernel {names}, got {heads} and {kernel!r}")
        _require_head_dim(head_dim)
        self.kernel, self.head_dim = kernel, head_dim
        factor, inner = torch.rand(2, heads)
        self.r1 = nn.Parameter(2 * factor if kernel == "log" else factor)
        self.r2 = nn.Parameter(inner if kernel == "log" else 2 * inner)

    def forward(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return the bias (H, Lq, Lk), or (B, H, Lq, Lk) with a batch of positions."""
        kerple, largest = (kerple_log, None) if self.kernel == "log" else (kerple_power, 2.0)
        r1, r2 = _limited(self.r1), _limited(self.r2, largest)
        return kerple(q_positions, k_positions, r1, r2, head_dim=self.head_dim)


def _limited(parameter: Tensor, largest: float | None = None) -> Tensor:
    # the value of the limit and the gradient of the parameter: behind a plain clamp the gradient
    # is 0, and a parameter that has once left its range never comes back
    limited = parameter.clamp(SMALLEST, largest).detach()
    return limited + (parameter - parameter.detach())


def _ready(
    q_positions: Tensor, k_positions: Tensor, r1: Tensor, r2: Tensor, head_dim: int | None
) -> tuple[Tensor, Tensor, Tensor]:
    require_tensors(r1=r1, r2=r2)
    if r1.dim() != 1 or r1.shape != r2.shape:
        raise ValueError(f"r1 and r2 must be (H,): {tuple(r1.shape)} and {tuple(r2.shape)}")
    if not (r1.is_floating_point() and r2.is_floating_point()):
        raise TypeError(f"r1 and r2 must be floats, got {r1.dtype} and {r2.dtype}")
    for name, r in (("r1", r1), ("r2", r2)):
        require_numbers((r > 0) & r.isfinite(), r, f"{name} must be positive and finite")
    _require_head_dim(head_dim)
    distance = relative_positions(q_positions, k_positions).abs()[..., None, :, :]
    computed = torch.promote_types(r1.dtype, torch.float32)
    r1, r2 = (r.to(computed)[:, None, None] for r in (r1, r2))  # (H, 1, 1) each
    return distance.to(computed), r1 if head_dim is None else r1 * head_dim**-0.5, r2


def _require_head_dim(head_dim: int | None) -> None:
    if head_dim is None:
        return
    require_reals(head_dim=head_dim)
    if not 1 <= head_dim < math.inf:
        raise ValueError(f"head_dim must be positive and finite, got {head_dim}")
