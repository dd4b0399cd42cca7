"""KERPLE, Chi et al. 2022: relative biases from conditionally positive definite kernels.

    log:   -r1 · ln(1 + r2 |i - j|)        power:   -r1 · |i - j|^r2,  0 < r2 ≤ 2

r1, r2 > 0 are learned, one of each per head. A third parameter joins the two families, "3-para-log"
in §5.3 of the paper: -r1 · ln(1 + r2 |i - j|^r3), 0 < r3 ≤ 2. "log" is not exponential decay:
softmax turns it into the power law (1 + r2 |i - j|)^(-r1). "power" with r2 = 1 is ALiBi with slope
r1. Not here: §5.3's other trial, "bias + weight", which multiplies q·k by exp(-r3 |i - j|^r4).

The published code adds the bias after the scaling; add what these functions return there too. The
paper's eq. (1) adds it to q·k before the division by √D: `head_dim=D` divides it as well. The two
differ only by a factor of r1, so each can learn what the other can.
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
    r3: Tensor | None = None,
    *,
    head_dim: float | None = None,
) -> Tensor:
    """Return the log kernel, (H, Lq, Lk) or (B, H, Lq, Lk); r1 and r2 are (H,), positive.

        -r1 · ln(1 + r2 |i - j|),   with r3 (H,), 0 < r3 ≤ 2:   -r1 · ln(1 + r2 |i - j|^r3)

    head_dim: None as in the published code; D divides by √D, as in the paper.

    Source: Chi et al. 2022, §4 and corollary 1 (b); `ParallelKerpleLog` in chijames/KERPLE; r3:
        §5.3, `kerple_p` of `KERPLERelativePositionEmbedding` in NVIDIA NeMo.
    Raises:
        TypeError: as `relative_positions`; a parameter is not of floats.
        ValueError: as `relative_positions`; the parameters are not (H,); one of them or head_dim is
            not positive and finite; r3 is greater than 2.
    Example:
        >>> from posenc_ref import kerple_log, positions
        >>> one = torch.ones(1)
        >>> kerple_log(positions(1, start=2), positions(3), one, one).round(decimals=4).tolist()
        [[[-1.0986000299453735, -0.6930999755859375, -0.0]]]
    """
    parameters = {"r1": r1, "r2": r2} | ({} if r3 is None else {"r3": r3})
    distance, r1, r2, *exponents = _ready(q_positions, k_positions, head_dim, **parameters)
    for exponent in exponents:
        distance = _power(distance, exponent, "r3")
    return -r1 * (r2 * distance).log1p()


def kerple_power(
    q_positions: Tensor,
    k_positions: Tensor,
    r1: Tensor,
    r2: Tensor,
    *,
    head_dim: float | None = None,
) -> Tensor:
    """Return the power kernel, (H, Lq, Lk) or (B, H, Lq, Lk); r1 > 0 and 0 < r2 ≤ 2 are (H,).

        -r1 · |i - j|^r2

    head_dim: as `kerple_log`.

    Source: Chi et al. 2022, §4 and corollary 1 (a); `ParallelKerplePower` in chijames/KERPLE.
    Raises:
        TypeError, ValueError: as `kerple_log`; r2 is greater than 2.
    Example:
        >>> from posenc_ref import kerple_power, positions
        >>> r1, r2 = torch.tensor([0.5]), torch.tensor([2.0])
        >>> kerple_power(positions(1, start=3), positions(4), r1, r2).tolist()
        [[[-4.5, -2.0, -0.5, -0.0]]]
    """
    distance, r1, r2 = _ready(q_positions, k_positions, head_dim, r1=r1, r2=r2)
    return -r1 * _power(distance, r2, "r2")


class KerpleBias(nn.Module):
    """KERPLE with its two parameters per head, or three, kept within their range.

        `kerple_log` or `kerple_power` = (H, Lq, Lk) or (B, H, Lq, Lk),   r1, r2 (H,) learned

    third: the log kernel learns r3 (H,) too; it begins at 1, the log kernel of two parameters.

    Source: Chi et al. 2022, §4, §5.3; initial values and limits of chijames/KERPLE, which lacks r3.
    Raises:
        TypeError: a size is not an integer.
        ValueError: heads or head_dim is not positive, kernel is unknown, or "power" with a third.
    Example:
        >>> from posenc_ref import KerpleBias, positions
        >>> KerpleBias(heads=4, kernel="log")(positions(2), positions(3)).shape
        torch.Size([4, 2, 3])
    """

    def __init__(
        self, heads: int, *, kernel: Kernel, third: bool = False, head_dim: float | None = None
    ) -> None:
        """Draw r1 from (0, 2) and r2 from (0, 1) for "log", the other way round for "power"."""
        super().__init__()
        require_integers(heads=heads)
        if heads < 1 or kernel not in get_args(Kernel):
            names = " or ".join(get_args(Kernel))
            raise ValueError(f"heads must be positive, kernel {names}, got {heads} and {kernel!r}")
        if third and kernel != "log":
            raise ValueError(f"a third parameter belongs to the log kernel, got kernel {kernel!r}")
        _require_head_dim(head_dim)
        self.kernel, self.head_dim = kernel, head_dim
        factor, inner = torch.rand(2, heads)
        self.r1 = nn.Parameter(2 * factor if kernel == "log" else factor)
        self.r2 = nn.Parameter(inner if kernel == "log" else 2 * inner)
        self.r3 = nn.Parameter(torch.ones(heads)) if third else None

    def forward(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return the bias (H, Lq, Lk), or (B, H, Lq, Lk) with a batch of positions."""
        r1, at = _limited(self.r1), (q_positions, k_positions)
        if self.kernel == "power":
            return kerple_power(*at, r1, _limited(self.r2, 2.0), head_dim=self.head_dim)
        r3 = None if self.r3 is None else _limited(self.r3, 2.0)
        return kerple_log(*at, r1, _limited(self.r2), r3, head_dim=self.head_dim)


def _limited(parameter: Tensor, largest: float | None = None) -> Tensor:
    # the value of the limit and the gradient of the parameter: behind a plain clamp the gradient
    # is 0, and a parameter that has once left its range never comes back
    limited = parameter.clamp(SMALLEST, largest).detach()
    return limited + (parameter - parameter.detach())


def _ready(
    q_positions: Tensor, k_positions: Tensor, head_dim: float | None, **parameters: Tensor
) -> list[Tensor]:
    """Return the distance (…, 1, Lq, Lk) and the parameters (H, 1, 1), r1 divided by √head_dim."""
    require_tensors(**parameters)
    shapes = [tuple(r.shape) for r in parameters.values()]
    if len(shapes[0]) != 1 or len(set(shapes)) != 1:
        listed = " and ".join(map(str, shapes))
        raise ValueError(f"{' and '.join(parameters)} must be (H,): {listed}")
    if not all(r.is_floating_point() for r in parameters.values()):
        dtypes = " and ".join(str(r.dtype) for r in parameters.values())
        raise TypeError(f"{' and '.join(parameters)} must be floats, got {dtypes}")
    for name, r in parameters.items():
        require_numbers((r > 0) & r.isfinite(), r, f"{name} must be positive and finite")
    _require_head_dim(head_dim)
    distance = relative_positions(q_positions, k_positions).abs()[..., None, :, :]
    computed = torch.promote_types(parameters["r1"].dtype, torch.float32)
    r1, *others = (r.to(computed)[:, None, None] for r in parameters.values())
    return [distance.to(computed), r1 if head_dim is None else r1 * head_dim**-0.5, *others]


def _power(distance: Tensor, exponent: Tensor, name: str) -> Tensor:
    """Return distance^exponent, an exponent per head, at most 2: beyond, it is not a kernel."""
    require_numbers(exponent <= 2, exponent, f"{name} must be at most 2")
    # 0^r has no derivative in r: where a distance is 0 the power is 0 whatever r
    far = distance.clamp(min=torch.finfo(distance.dtype).tiny) ** exponent
    return torch.where(distance > 0, far, 0.0)


def _require_head_dim(head_dim: float | None) -> None:
    if head_dim is None:
        return
    require_reals(head_dim=head_dim)
    if not 1 <= head_dim < math.inf:
        raise ValueError(f"head_dim must be positive and finite, got {head_dim}")
