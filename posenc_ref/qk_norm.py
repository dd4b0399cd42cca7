"""QK-norm: queries and keys are brought to one length before they meet (Henry et al. 2020).

    x / √(mean x² + ε) ⊙ gain,   then the rotation

Scores can then no longer grow without bound in training: with the gain 1 they lie within ±√D. Two
conventions are in use for the mean, told apart by the shape of the gain:

- (D,): each head of each token by itself (Qwen3, Gemma 3, whose stored weight is gain - 1).
- (H, D): all heads of a token together (OLMo 2).

With a gain per channel the order matters: a rotation mixes the two channels of a pair, and what was
first rotated, then multiplied channel by channel, no longer depends on the distance alone. Without
a gain the order is free, since a rotation keeps the mean of the squares: Llama 4 normalises after
it.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.scalars import require_finite
from posenc_ref.tensors import require_floats


def qk_norm(x: Tensor, gain: Tensor, *, eps: float = 1e-6) -> Tensor:
    """Return queries or keys x (B, H, L, D), not rotated yet, normalised; computed in float32.

        x / √(mean x² + ε) ⊙ gain

    gain: (D,), the mean over the channels of a head; (H, D), over those of all heads of a token.

    Source: `Qwen3Attention`, `Olmo2Attention` in Hugging Face transformers; Zhang & Sennrich 2019
        for the norm.
    Raises:
        TypeError: x or gain is not of floats; eps is not a real number.
        ValueError: x is not (B, H, L, D), gain is neither (D,) nor (H, D); eps is negative or not
            finite.
    Example:
        >>> from posenc_ref import qk_norm
        >>> x = torch.tensor([3.0, 4.0]).view(1, 1, 1, 2)
        >>> qk_norm(x, torch.tensor([1.0, 10.0])).flatten().round(decimals=3).tolist()
        [0.8489999771118164, 11.314000129699707]
    """
    require_floats(x=x, gain=gain)
    require_finite(eps=eps)
    shape = tuple(x.shape)
    if x.dim() != 4 or tuple(gain.shape) not in (shape[3:], (shape[1], shape[3])):
        shapes = f"{shape} and {tuple(gain.shape)}"
        raise ValueError(f"x (B, H, L, D) and gain (D,) or (H, D) disagree: {shapes}")
    if eps < 0:
        raise ValueError(f"eps must not be negative, got {eps}")
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    axes = (-1,) if gain.dim() == 1 else (1, -1)
    norm = (wide.square().mean(axes, keepdim=True) + eps).rsqrt()
    return (wide * norm * (gain if gain.dim() == 1 else gain[:, None])).to(x.dtype)
