"""Llama 3.1's scaling of RoPE: bands of wavelengths, kept, blended, or divided by 8.

Wavelengths below L/4 are kept, those above L are divided, and between them the two are blended
linearly in L/λ. That is NTK-by-parts (ntk_by_parts.py) with α = 1, β = 4 and no temperature: the
names differ, the numbers do not.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.ntk_by_parts import ntk_by_parts


def llama3(
    dim: int,
    *,
    factor: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    trained_length: float = 8192,
    base: float = 500000.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, float]:
    """Return (frequencies (dim/2,), attention factor 1); the defaults are those of Llama 3.1.

        λ = 2π/ω:   ω if λ < L/β,   ω/s if λ > L/α,   else (1 - γ) ω/s + γ ω
        γ = (L/λ - α) / (β - α);   s, α, β, L = factor, low, high_freq_factor, trained_length

    Source: `apply_scaling` in llama-models, models/llama3/model.py; `rope_type="llama3"`.
    Raises:
        ValueError: as `ntk_by_parts`.
    Example:
        >>> from posenc_ref import frequencies, llama3
        >>> (frequencies(8, base=500000.0) / llama3(8)[0]).round(decimals=3).tolist()
        [1.0, 1.0, 2.695, 8.0]
    """
    return ntk_by_parts(
        dim,
        factor,
        trained_length,
        base=base,
        alpha=low_freq_factor,
        beta=high_freq_factor,
        device=device,
    )
