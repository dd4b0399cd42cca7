"""Proportional RoPE (Gemma 4, LFM3): a share of the pairs turns, as fast as in the whole head.

The first r = ⌊share · D/2⌋ pairs keep the frequencies of `frequencies(D)`, the slow ones stand
still. Partial RoPE (rope_partial.py) gives r pairs the whole range from 1 down instead, and turns
the first 2r channels; here `rotate` takes all D, so in layout "half" channels i and i + D/2 turn.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.position_interpolation import stretch
from posenc_ref.scalars import require_reals
from posenc_ref.sinusoidal import frequencies


def proportional(
    dim: int,
    share: float,
    *,
    factor: float = 1.0,
    base: float = 10000.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, float]:
    """Return (frequencies (dim/2,), attention factor 1): the slow pairs, all but a share, are 0.

        ω_i = base^(-2i/d) / s   if i < ⌊share · d/2⌋,   0 else;   s = `factor`

    Source: `rope_type="proportional"` in Hugging Face transformers, modeling_rope_utils.py.
    Raises:
        TypeError: an argument that must be a number is not one.
        ValueError: share is not above 0 and at most 1; as `position_interpolation`.
    Example:
        >>> from posenc_ref import proportional
        >>> proportional(8, share=0.5)[0].tolist()
        [1.0, 0.1, 0.0, 0.0]
    """
    require_reals(share=share)
    if not 0 < share <= 1:
        raise ValueError(f"share must be above 0 and at most 1, got {share}")
    omega = frequencies(dim, base=base, device=device) / stretch(factor)
    index = torch.arange(len(omega), device=omega.device)
    return omega.where(index < int(share * dim // 2), 0), 1.0
