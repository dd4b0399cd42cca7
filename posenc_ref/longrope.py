"""LongRoPE, Ding et al. 2024: a searched divisor for each pair, and a temperature.

The divisors λ_i come with a checkpoint, in two lists: `short` for texts up to the trained length,
`long` beyond (Phi-3). They *divide* the frequencies. q and k are both multiplied by
√(1 + ln s / ln L).

The paper also leaves the first n̂ tokens of a text as they were; the published code and the
checkpoints (Phi-3, Hugging Face) do not, nor does this.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_ref.position_interpolation import stretch
from posenc_ref.scalars import require_lists, require_reals
from posenc_ref.sinusoidal import frequencies


def longrope(
    dim: int,
    length: float,
    trained_length: float,
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
        TypeError: an argument that must be a number or a list is not one.
        ValueError: a list has not dim/2 positive numbers; length is less than 1, trained_length
            than 2, factor than 1; one of them is not finite; as `frequencies`.
    Example:
        >>> from posenc_ref import longrope
        >>> lists = {"short": [1.0, 1.0], "long": [2.0, 4.0]}
        >>> longrope(4, 8000, 4000, factor=32.0, **lists)[0].tolist()
        [0.5, 0.0025]
    """
    require_reals(length=length, trained_length=trained_length)
    if not 2 <= trained_length < math.inf:
        raise ValueError(f"trained_length must be at least 2, got {trained_length}")
    if not 1 <= length < math.inf:
        raise ValueError(f"length must be at least 1, got {length}")
    omega = frequencies(dim, base=base, device=device)
    divisors = {name: _divisors(name, by, omega) for name, by in (("short", short), ("long", long))}
    by_pair = divisors["long" if length > trained_length else "short"]
    temperature = math.sqrt(1 + math.log(stretch(factor)) / math.log(trained_length))
    return omega / by_pair, temperature


def _divisors(name: str, numbers: Sequence[float], frequencies: Tensor) -> Tensor:
    """Return the divisors as a tensor, one for each frequency."""
    pairs = len(frequencies)
    require_lists(**{name: numbers})
    for by in numbers:
        require_reals(**{f"each of {name}": by})
    if len(numbers) != pairs or not all(0 < by < math.inf for by in numbers):
        raise ValueError(f"{name} needs {pairs} positive numbers, got {list(numbers)}")
    divisors = torch.tensor(numbers, dtype=frequencies.dtype, device=frequencies.device)
    if divisors.dim() != 1:
        raise ValueError(f"{name} must be one list, got {tuple(divisors.shape)}")
    return divisors
