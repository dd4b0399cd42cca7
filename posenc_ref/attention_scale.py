"""Scores times a factor that grows with the text, so that attention over many keys stays sharp.

A softmax over n scores of variance σ² has an entropy of about ln n - σ²/2, so scores must grow with
ln n to keep the entropy. Both functions give a factor for each query; multiply q by it, before or
after a rotation. YaRN's and LongRoPE's factors are one number for the whole text instead, on q and
on k (yarn.py, longrope.py).
"""

from __future__ import annotations

import math

from torch import Tensor

from posenc_ref.device import angle_dtype
from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_finite, require_reals


def log_n_scale(positions: Tensor, trained_length: float) -> Tensor:
    """Return log-n scaling's factor on the scores of each query: positions (…, L) → (…, L).

        max(1, ln n / ln L),   n = p + 1 the keys that a causal query at p sees, L trained_length

    1 up to the trained length, so that nothing changes there.

    Source: Su 2021, kexue.fm/archives/8823, and Chiang & Cholak 2022 for the quotient; with the
        maximum `self_extend_forward` in datamllab/LongLM, by its `scale_base`.
    Raises:
        TypeError: as `checked_positions`; trained_length is not a real number.
        ValueError: trained_length is not above 1 and finite.
    Example:
        >>> from posenc_ref import log_n_scale
        >>> log_n_scale(torch.tensor([9, 99, 9999]), trained_length=100).tolist()
        [1.0, 1.0, 2.0]
    """
    require_reals(trained_length=trained_length)
    if not 1 < trained_length < math.inf:
        raise ValueError(f"trained_length must be a finite number above 1, got {trained_length}")
    before = (_numbers(positions) + 1).clamp(min=1.0)
    return (before.log() / math.log(trained_length)).clamp(min=1.0)


def llama4_scale(positions: Tensor, *, floor: float = 8192.0, slope: float = 0.1) -> Tensor:
    """Return Llama 4's factor on each query of its layers without RoPE: (…, L) → (…, L).

        1 + slope · ln(1 + ⌊(p + 1) / floor⌋)

    Its "attention temperature" rises in steps, the first at p = floor - 1. Upstream names:
    `attn_scale`, `floor_scale`. Ministral 3 has the same with p in place of p + 1, in every layer.

    Source: `Llama4TextAttention` in Hugging Face transformers.
    Raises:
        TypeError: as `checked_positions`; floor or slope is not a real number.
        ValueError: floor is not positive and finite; slope is not finite.
    Example:
        >>> from posenc_ref import llama4_scale
        >>> llama4_scale(torch.tensor([0, 8190, 8191, 131071])).round(decimals=3).tolist()
        [1.0, 1.0, 1.069, 1.283]
    """
    require_finite(floor=floor, slope=slope)
    if floor <= 0:
        raise ValueError(f"floor must be positive, got {floor}")
    return 1.0 + slope * ((_numbers(positions) + 1) / floor).floor().clamp(min=0.0).log1p()


def _numbers(positions: Tensor) -> Tensor:
    at = checked_positions(positions)
    return at.to(angle_dtype(at.device))
