"""ALiBi, Press et al. 2022, §3: a penalty that grows with distance, one slope m per head.

    softmax(q kᵀ/√D - m · (i - j))

The bias is *not* divided by √D (footnote 10) and not learned. For H heads, a power of two, the
slopes are 2^(-8h/H), h = 1 … H; for other H, those of the next smaller power of two, then every
second one of the doubled number. Three forms:

- "causal": -m (i - j), 0 at the query itself; keys ahead get a bonus, so a causal mask is needed.
- "symmetric": -m |i - j|, for encoders; the same below the diagonal.
- "key_only": +m j. A row differs from "causal" by a constant, which softmax does not see: one row
  (H, 1, Lk) serves all queries (BLOOM, fairseq). Exact behind a causal mask in float32; wrong for
  two directions, beside a sink logit, and in bfloat16 (at 2048 tokens and m = 1/2 the total
  variation is 0.26 where scores are equal, 0.62 where they are random).

Products are computed in float32 or better and rounded last. Falcon's bfloat16 product leaves at
most 641 distinct values of 2048 (all 641 for slopes that are powers of two, fewer for others); it
has its own function, `alibi_falcon`.

With any slope the weights of far keys sink below 1e-38, and a CPU is slow with such denormal
numbers: call `torch.set_flush_denormal(True)` at the start of a program to treat them as 0.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions, relative_positions
from posenc_ref.scalars import require_choice, require_integers
from posenc_ref.tensors import require_float_dtype, require_tensors, require_wide

Form = Literal["causal", "symmetric", "key_only"]


def alibi_slopes(heads: int, *, device: torch.device | str | None = None) -> Tensor:
    """Return the slope of each head, (H,), float32.

        2^(-8h/H),   h = 1 … H a power of two; else as the file says

    Source: Press et al. 2022, §3; `get_slopes` in ofirpress/attention_with_linear_biases.
    Raises:
        TypeError: heads is not an integer.
        ValueError: heads is not positive.
    Example:
        >>> from posenc_ref import alibi_slopes
        >>> alibi_slopes(6).tolist()
        [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
    """
    require_integers(heads=heads)
    if heads < 1:
        raise ValueError(f"heads must be positive, got {heads}")
    whole = 2 ** math.floor(math.log2(heads))
    exponents = [8 * h / whole for h in range(1, whole + 1)]
    exponents += [4 * h / whole for h in range(1, 2 * (heads - whole), 2)]
    return torch.tensor([2.0**-e for e in exponents], dtype=torch.float32, device=device)


def alibi(
    q_positions: Tensor,
    k_positions: Tensor,
    slopes: Tensor,
    *,
    form: Form = "causal",
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return the bias (H, Lq, Lk), or (B, H, Lq, Lk) with a batch of positions.

        -m (i - j),   -m |i - j|   or   +m j,   by the form

    Form "key_only" has one row for all queries, (H, 1, Lk): expand it, or add it as it is. A decode
    step passes one query position and gets the row (H, 1, Lk) in any form.

    Source: Press et al. 2022, §3, and for "key_only" `models/transformer.py`, L756-762.
    Raises:
        TypeError: slopes are not float32 or float64, dtype is not a float.
        ValueError: form is unknown, slopes are not (H,); as `relative_positions`.
    Example:
        >>> from posenc_ref import alibi, alibi_slopes, positions
        >>> alibi(positions(1, start=2), positions(3), alibi_slopes(2)).tolist()
        [[[-0.125, -0.0625, 0.0]], [[-0.0078125, -0.00390625, 0.0]]]
    """
    require_choice(Form, form=form)
    _check(slopes, dtype)
    relative = relative_positions(q_positions, k_positions)  # key - query
    if form == "key_only":
        distance = checked_positions(k_positions)[..., None, :]
    else:
        distance = relative if form == "causal" else -relative.abs()
    bias = slopes[:, None, None] * distance[..., None, :, :].to(slopes.dtype)
    return bias.to(dtype)


def alibi_falcon(
    k_positions: Tensor, slopes: Tensor, *, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return ALiBi as in Falcon, key only, (H, 1, Lk), or (B, H, 1, Lk) with a batch.

        bfloat16(bfloat16(m) · bfloat16(j))

    Falcon in Hugging Face transformers rounds this way, whatever the model's `dtype`, if its
    attention mask has integers: beyond 256 tokens neighbours share a position. It divides the bias
    by √D like q·k, so add `alibi_falcon(…) / √D` to scores that are already divided. BLOOM and MPT
    there compute the same numbers as `alibi`.

    Source: `build_alibi_tensor` of `falcon/modeling_falcon.py` in Hugging Face transformers.
    Raises:
        TypeError: as `alibi`.
        ValueError: slopes are not (H,), or positions have no length dimension.
    Example:
        >>> from posenc_ref import alibi_falcon, alibi_slopes, positions
        >>> alibi_falcon(positions(2, start=256), alibi_slopes(1)).tolist()  # not 1.00390625
        [[[1.0, 1.0]]]
    """
    _check(slopes, dtype)
    at = checked_positions(k_positions)
    if not at.dim():
        raise ValueError("k_positions must be (…, Lk), got ()")
    return (slopes[:, None, None].bfloat16() * at[..., None, None, :].bfloat16()).to(dtype)


def _check(slopes: Tensor, dtype: torch.dtype) -> None:
    require_tensors(slopes=slopes)
    require_wide(slopes=slopes.dtype)
    if slopes.dim() != 1:
        raise ValueError(f"slopes must be (H,), got {tuple(slopes.shape)}")
    require_float_dtype(dtype=dtype)
