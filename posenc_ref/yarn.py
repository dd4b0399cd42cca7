"""YaRN, Peng et al. 2023: NTK-by-parts, and sharper attention for longer texts.

Temperature: q and k are both multiplied by 0.1 ln s + 1, so the scores grow by its *square*.

Two ramps share the name. At s = 16 their frequencies differ up to threefold; `ramp` chooses:

- ramp "code": linear in the *index* of the pair, between the indices that turn β and α times
  within the trained length, rounded outwards. jquesnelle/yarn, Hugging Face, all checkpoints.
- ramp "paper": linear in the number of turns r, §3.2, eq. (17)-(20): `ntk_by_parts`.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from posenc_ref.ntk_by_parts import ntk_by_parts
from posenc_ref.position_interpolation import stretch
from posenc_ref.scalars import require_choice, require_reals
from posenc_ref.sinusoidal import frequencies

Ramp = Literal["code", "paper"]


def yarn(
    dim: int,
    factor: float,
    trained_length: float,
    *,
    base: float = 10000.0,
    ramp: Ramp = "code",
    alpha: float = 1.0,
    beta: float = 32.0,
    truncate: bool = True,
    mscale: float = 1.0,
    mscale_all_dim: float = 0.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, float]:
    """Return (frequencies (dim/2,), attention factor) for a text s = `factor` times as long.

        (1 - γ_i) ω_i / s + γ_i ω_i,   γ_i the ramp;   (0.1 m ln s + 1) / (0.1 m' ln s + 1)

    truncate: round the borders of the code's ramp outwards to whole indices.
    mscale, mscale_all_dim: DeepSeek's variant divides one temperature by another, and also
        multiplies its scores by `yarn_temperature(factor, mscale_all_dim)`², which is left to the
        caller. Hugging Face transformers uses the two only if both are given and not 0; an
        `attention_factor` in a configuration there replaces the one returned here.

    Source: Peng et al. 2023, §3.2 and §3.4; `find_correction_range` in jquesnelle/yarn.
    Raises:
        TypeError: an argument that must be a number is not one.
        ValueError: ramp is unknown; as `ntk_by_parts` and `yarn_temperature`.
    Example:
        >>> from posenc_ref import frequencies, yarn
        >>> omega, attention_factor = yarn(8, factor=4.0, trained_length=2048)
        >>> (frequencies(8) / omega).round(decimals=3).tolist(), round(attention_factor, 4)
        ([1.0, 1.0, 1.6, 4.0], 1.1386)
    """
    require_choice(Ramp, ramp=ramp)
    temperature = yarn_temperature(factor, mscale) / yarn_temperature(factor, mscale_all_dim)
    blended, _ = ntk_by_parts(
        dim, factor, trained_length, base=base, alpha=alpha, beta=beta, device=device
    )
    if ramp == "paper":
        return blended, temperature
    omega = frequencies(dim, base=base, device=device)
    first, last = (_index(turns, dim, trained_length, base) for turns in (beta, alpha))
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, dim - 1)
    width = last - first or 0.001  # as in the code: no division by zero
    index = torch.arange(dim // 2, dtype=omega.dtype, device=omega.device)
    divided = ((index - first) / width).clamp(0, 1)
    return divided * omega / factor + (1 - divided) * omega, temperature


def yarn_temperature(factor: float, mscale: float = 1.0) -> float:
    """Return the number, a Python float, by which q and k are both multiplied.

        0.1 · mscale · ln s + 1,   s = factor

    Source: Peng et al. 2023, §3.4, eq. (22): √(1/t) = 0.1 ln s + 1.
    Raises:
        TypeError: an argument that must be a number is not one.
        ValueError: factor is less than 1, mscale is negative, or one is not finite.
    Example:
        >>> from posenc_ref import yarn_temperature
        >>> round(yarn_temperature(16.0) ** 2, 3)  # what the scores are multiplied by
        1.631
    """
    require_reals(mscale=mscale)
    if not 0 <= mscale < math.inf:
        raise ValueError(f"mscale and mscale_all_dim must be at least 0 and finite, got {mscale}")
    return 0.1 * mscale * math.log(stretch(factor)) + 1.0


def _index(turns: float, dim: int, trained_length: float, base: float) -> float:
    """Return the fractional index of the pair that turns this often within the trained length."""
    return dim * math.log(trained_length / (turns * 2 * math.pi)) / (2 * math.log(base))
