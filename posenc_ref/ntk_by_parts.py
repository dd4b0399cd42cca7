"""NTK-by-parts, Peng et al. 2023 (YaRN), §3.2: each frequency is interpolated as far as it needs.

A pair that turned r = L/λ = Lω/2π times within the trained length L has shown all its angles if r
is large, and tells positions apart only within a turn if r is small. So, with
γ(r) = 0 for r < α, 1 for r > β, (r - α)/(β - α) between (α = β is a step, as Llama 4 Scout has it):

    ω' = (1 - γ) ω/s + γ ω

This is the ramp of the paper, linear in r. The published YaRN code ramps over the index of the
pair instead: other numbers (yarn.py). Llama 3 uses this one with α = 1, β = 4 (llama3.py).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_ref.position_interpolation import stretch
from posenc_ref.scalars import require_reals
from posenc_ref.sinusoidal import frequencies


def ntk_by_parts(
    dim: int,
    factor: float,
    trained_length: float,
    *,
    base: float = 10000.0,
    alpha: float = 1.0,
    beta: float = 32.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, float]:
    """Return (frequencies (dim/2,), attention factor 1): slow pairs ω/s, fast ones ω.

        (1 - γ_i) ω_i / s + γ_i ω_i,   γ_i = clip((r_i - α)/(β - α), 0, 1),   r_i = L ω_i / 2π

    Source: Peng et al. 2023, §3.2, eq. (17)-(20); α and β as chosen there for Llama.
    Raises:
        TypeError: an argument that must be a number is not one.
        ValueError: not 0 < alpha ≤ beta; trained_length is not positive; factor is less than 1;
            one of them is not finite; as `frequencies`.
    Example:
        >>> from posenc_ref import frequencies, ntk_by_parts
        >>> omega, _ = ntk_by_parts(8, factor=4.0, trained_length=2048)
        >>> (frequencies(8) / omega).round(decimals=3).tolist()
        [1.0, 1.0, 3.282, 4.0]
    """
    omega = frequencies(dim, base=base, device=device)
    require_reals(alpha=alpha, beta=beta, trained_length=trained_length)
    if not (0 < alpha <= beta < math.inf and 1 <= trained_length < math.inf):
        raise ValueError(
            "0 < alpha <= beta and a positive trained_length are needed, "
            f"got {alpha}, {beta} and {trained_length}"
        )
    turns = trained_length * omega / (2 * math.pi)  # r of each pair
    ramp = (turns - alpha) / (beta - alpha)  # of a step: ±inf, 0/0 on its edge
    kept = ramp.nan_to_num(1.0).clamp(0, 1)  # γ
    return (1 - kept) * omega / stretch(factor) + kept * omega, 1.0
