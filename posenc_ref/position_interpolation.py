"""Position interpolation (PI), Chen et al. 2023: every angle is divided by the stretch s.

Position p of a text s times as long as in training gets the angles of p/s, which lie inside what
training showed. Neighbours are then closer together than in training, so the model needs some
fine-tuning: 16.10 perplexity at step 0, 7.12 after 200 steps (Chen et al., Table 3).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_ref.scalars import require_reals
from posenc_ref.sinusoidal import frequencies


def position_interpolation(
    dim: int, factor: float, *, base: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, float]:
    """Return (frequencies (dim/2,), attention factor 1): ω_i / s, with s = `factor`.

        ω_i = base^(-2i/d) / s,   so that   p ω_i = (p/s) base^(-2i/d)

    Source: Chen et al. 2023, §2.3, eq. (4); `rope_type="linear"` in Hugging Face transformers.
    Raises:
        ValueError: factor is less than 1 or not finite; as `frequencies`.
    Example:
        >>> from posenc_ref import position_interpolation
        >>> omega, attention_factor = position_interpolation(4, factor=8.0)
        >>> omega.tolist(), attention_factor
        ([0.125, 0.00125], 1.0)
    """
    return frequencies(dim, base=base, device=device) / stretch(factor), 1.0


def stretch(factor: float) -> float:
    """Return the stretch if it is one: new length / trained length, at least 1.

    Source: none, plumbing of the scalings.
    Raises:
        TypeError: factor is not a number.
        ValueError: factor is less than 1 or not finite.
    Example:
        >>> from posenc_ref.position_interpolation import stretch
        >>> stretch(4.0)
        4.0
    """
    require_reals(factor=factor)
    if not 1 <= factor < math.inf:
        raise ValueError(f"factor is new length / trained length, at least 1, got {factor}")
    return factor
