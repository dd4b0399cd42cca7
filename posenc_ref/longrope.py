"""LongRoPE, Ding et al. 2024: a searched divisor for each pair, and a temperature.

The divisors λ_i come with a checkpoint, in two lists: `short` for texts up to the trained length,
`long` beyond (Phi-3). They *divide* the frequencies. q and k are both multiplied by
√(1 + ln s / ln L). The paper also leaves the first n̂ tokens of a text as they were; the published
code and checkpoints do not, and neither does this.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_ref.position_interpolation import stretch
from posenc_ref.sinusoidal import frequencies


def longrope(
    dim: int,
    length: int,
    trained_length: int,
    *,
    short: Sequence[float],
    long: Sequence[float],
    factor: float,
    base: float = 10000.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, float]:
    """Return (frequencies (dim/2,), attention factor) for a text of this length.

        ω_i / λ_i,   √(1 + ln s / ln L);   λ = `long` if length > L, else `short`

    factor: s, the extended length of the checkpoint / its trained length; for the temperature.

    Source: Ding et al. 2024, §3.1, eq. (2)-(3); `_calc_mscale_su` in microsoft/LongRoPE;
    `rope_type="longrope"` in Hugging Face transformers.
    Raises:
        ValueError: a list has not dim/2 positive numbers; trained_length is less than 2.
    Example:
        >>> from posenc_ref import longrope
        >>> lists = {"short": [1.0, 1.0], "long": [2.0, 4.0]}
        >>> longrope(4, 8000, 4000, factor=32.0, **lists)[0].tolist()
        [0.5, 0.0025]
    """
    if trained_length < 2:
        raise ValueError(f"trained_length must be at least 2, got {trained_length}")
    for name, given in (("short", short), ("long", long)):
        if len(given) != dim // 2 or min(given) <= 0:
            raise ValueError(f"{name} needs {dim // 2} positive numbers, got {list(given)}")
    omega = frequencies(dim, base=base, device=device)
    chosen = long if length > trained_length else short
    divisors = torch.tensor(chosen, dtype=omega.dtype, device=omega.device)
    temperature = math.sqrt(1 + math.log(stretch(factor)) / math.log(trained_length))
    return omega / divisors, temperature
