"""Attention with ALiBi (Press et al. 2022) that never makes the (H, L, L) bias.

`alibi_attention` is causal. A row of -m (i - j) differs from +m j by a constant, which softmax does
not see, and +m j is a product of a number of the query's head and a number of the key:

    (q_i, m √D) · (k_j, j) / √D  =  q_i·k_j/√D + m j

So the bias rides along in the head dimension, through any fused kernel, forwards and backwards.
In 16 bits j would collide (256 == 257 in bfloat16): it is written in digits of base 256, which are
exact; only the slope is rounded, the same for all keys. j counts from the last key. A score of a
size of m L has m L roundings' worth of error: in float32 3e-5 at 1024 tokens, less than 16 bits
cost by themselves.

`alibi_score_mod` is for `torch.nn.attention.flex_attention`, with any form, any positions and any
block mask. In torch 2.13 that runs forwards only on a CPU.

Source: Wu et al. 2025, FlashBias (arXiv 2505.12044): a bias of low rank as channels of q and k.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

from posenc_ref.alibi import Form, require_slopes
from posenc_ref.positions import checked_positions, require_tensors
from posenc_ref.score_inputs import require_numbers

CHANNELS = 8  # three are needed; fused kernels want head dimensions that are multiples of 8


def alibi_attention(q: Tensor, k: Tensor, v: Tensor, positions: Tensor, slopes: Tensor) -> Tensor:
    """Return causal softmax(q kᵀ/√D - m (i - j)) v, (B, H, L, D): q, k, v are of the same tokens.

        (q_i, m √D) · (k_j, j) / √D = q_i·k_j/√D + m j

    positions: (L,) or (B, L), less than 2^24 apart. "Causal" is by order: a query sees the tokens
        up to its own. Padding or packed documents need a mask, so a bias; so does one decode step.

    torch's kernel has no forward-mode derivative on a CPU: `torch.func.jvp` raises.

    Source: Press et al. 2022, §3, for the bias; Wu et al. 2025 for the channels: the slopes stand
    on the side of the queries, the positions on the keys'.
    Raises:
        TypeError: as `checked_positions`; q, k and v have several dtypes; slopes are not float32 or
            float64.
        ValueError: q, k and v are not of one shape; positions or slopes do not fit them, or
            positions lie 2^24 or more apart.
    Example:
        >>> from posenc_ref import alibi_attention, positions
        >>> x = torch.eye(2, dtype=torch.float64).view(1, 1, 2, 2)
        >>> out = alibi_attention(x, x, x, positions(2), torch.tensor([0.5]))
        >>> out[0, 0].round(decimals=4).tolist()
        [[1.0, 0.0], [0.2302, 0.7698]]
    """
    positions = checked_positions(positions)
    _check(q, k, v, positions, slopes)
    dim = q.shape[-1]
    last = positions.amax(-1, keepdim=True) if positions.numel() else 0
    back = last - positions  # digits of one sign do not cancel
    require_numbers(back < 2**24, back, "positions must be less than 2^24 apart")
    digits = torch.stack((back % 256, back // 256 % 256 * 16, back // 65536 * 256), -1)
    weight = -slopes[:, None] * dim**0.5 * slopes.new_tensor([1.0, 16.0, 256.0])  # (H, 3)
    q = _beside(q, weight[:, None])
    k = _beside(k, digits[..., None, :, :])
    v = _beside(v, v.new_zeros(1))  # fused kernels want one head dimension
    return scaled_dot_product_attention(q, k, v, is_causal=True, scale=dim**-0.5)[..., :dim]


def alibi_score_mod(
    q_positions: Tensor, k_positions: Tensor, slopes: Tensor, *, form: Form = "causal"
) -> Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]:
    """Return the `score_mod` with which flex_attention adds the bias that `alibi` returns.

        score + bias[h, i, j],   bias (H, Lq, Lk)

    q_positions (Lq,), k_positions (Lk,): a decode step hands in one query position, not index 0.

    Source: Press et al. 2022, §3; called by `torch.nn.attention.flex_attention.flex_attention`.
    Raises:
        TypeError: as `checked_positions`; slopes are not float32 or float64.
        ValueError: form is unknown; positions or slopes are not of one dimension.
    Example:
        >>> from posenc_ref import alibi_score_mod, alibi_slopes, positions
        >>> add = alibi_score_mod(positions(1, start=9), positions(10), alibi_slopes(8))
        >>> add(torch.tensor(1.5), *torch.tensor([0, 0, 0, 7])).item()  # batch, head, query, key
        0.5
    """
    if form not in get_args(Form):
        raise ValueError(f"form must be one of {', '.join(get_args(Form))}, got {form!r}")
    require_slopes(slopes)
    at_q, at_k = checked_positions(q_positions), checked_positions(k_positions)
    if at_q.dim() != 1 or at_k.dim() != 1:
        shapes = f"{tuple(at_q.shape)} and {tuple(at_k.shape)}"
        raise ValueError(f"q_positions must be (Lq,) and k_positions (Lk,), got {shapes}")

    def add(score: Tensor, batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        distance = at_k[key] if form == "key_only" else at_k[key] - at_q[query]
        return score + slopes[head] * (-distance.abs() if form == "symmetric" else distance)

    return add


def _beside(x: Tensor, numbers: Tensor) -> Tensor:
    """Return x (B, H, L, D) with CHANNELS more: the numbers, then zeros."""
    numbers = pad(numbers.to(x.dtype), (0, CHANNELS - numbers.shape[-1]))
    return torch.cat((x, numbers.expand(*x.shape[:-1], CHANNELS)), -1)


def _check(q: Tensor, k: Tensor, v: Tensor, positions: Tensor, slopes: Tensor) -> None:
    require_tensors(q=q, k=k, v=v)
    require_slopes(slopes)
    if q.dim() != 4 or not q.shape == k.shape == v.shape:
        shapes = ", ".join(str(tuple(x.shape)) for x in (q, k, v))
        raise ValueError(f"q, k and v must all be (B, H, L, D), got {shapes}")
    if not q.dtype == k.dtype == v.dtype or not q.is_floating_point():
        dtypes = f"{q.dtype}, {k.dtype}, {v.dtype}"
        raise TypeError(f"q, k and v must have one float dtype, got {dtypes}")
    b, h, length, _ = q.shape
    if tuple(positions.shape) not in ((length,), (b, length)) or tuple(slopes.shape) != (h,):
        shapes = f"{tuple(positions.shape)} and {tuple(slopes.shape)}"
        raise ValueError(
            f"positions (L,) or (B, L) and slopes (H,) do not fit {tuple(q.shape)}: {shapes}"
        )
