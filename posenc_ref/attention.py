"""Scaled dot-product attention, Vaswani et al. 2017, §3.2.1, eq. (1): softmax(q kᵀ / √D) v.

Shapes in the order of `torch.nn.functional.scaled_dot_product_attention`, which gives the same
numbers: q (B, H, Lq, D), k (B, H, Lk, D), v (B, H, Lk, Dv). Nothing here depends on the order of
the tokens: permute queries, keys and values together and the outputs are permuted likewise
(equivariance, not invariance). Order comes in through the inputs, `mask` or `bias`.

- mask: boolean, True = may attend. (Lq, Lk), (B, 1, Lq, Lk) or (B, H, Lq, Lk).
- bias: added to the scores after the scaling, as ALiBi and T5 want it.
  (Lq, Lk), (H, Lq, Lk) or (B, H, Lq, Lk).
- A query that may attend to nothing (padding) has weights and output 0, not NaN.
- 16-bit inputs: scores and softmax are computed in float32, the result has the inputs' dtype.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_ref.positions import relative_positions
from posenc_ref.scalars import require_finite, require_lists
from posenc_ref.score_inputs import checked_bias, checked_mask, require_queries_and_keys
from posenc_ref.tensors import false_somewhere, require_tensors


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    bias: Tensor | None = None,
    scale: float | None = None,
) -> Tensor:
    """Return what each query reads, (B, H, Lq, Dv); scale is 1/√D by default.

        softmax(q kᵀ · scale + bias) v

    Source: Vaswani et al. 2017, §3.2.1, eq. (1).
    Raises:
        TypeError, ValueError: as `attention_weights`; v has another dtype or does not fit k.
    Example:
        >>> from posenc_ref import attention
        >>> q, v = torch.zeros(1, 1, 1, 2), torch.tensor([1.0, 3.0]).view(1, 1, 2, 1)
        >>> attention(q, torch.zeros(1, 1, 2, 2), v).item()
        2.0
    """
    require_tensors(v=v)
    weights = attention_weights(q, k, mask, bias, scale)  # (B, H, Lq, Lk)
    if v.dim() != 4 or v.shape[:3] != k.shape[:3]:
        raise ValueError(f"v must be (B, H, Lk, Dv) like k {_shape(k)}, got {_shape(v)}")
    if v.dtype != q.dtype:
        raise TypeError(f"q, k and v must have one dtype, got {q.dtype} and {v.dtype}")
    return weights @ v


def attention_weights(
    q: Tensor,
    k: Tensor,
    mask: Tensor | None = None,
    bias: Tensor | None = None,
    scale: float | None = None,
) -> Tensor:
    """Return the weights (B, H, Lq, Lk): row i is where query i looks.

        softmax(q kᵀ · scale + bias)

    Source: Vaswani et al. 2017, §3.2.1, eq. (1).
    Raises:
        TypeError: dtypes of q and k differ or are not floats; mask is not boolean, bias not float,
            scale not a real number.
        ValueError: a shape is not one of those above, or D is 0; scale is not finite. Nothing
            broadcasts silently.
    Example:
        >>> from posenc_ref import attention_weights
        >>> q = torch.zeros(1, 1, 2, 4)
        >>> attention_weights(q, q).tolist()
        [[[[0.5, 0.5], [0.5, 0.5]]]]
    """
    require_queries_and_keys(q, k)
    computed = torch.promote_types(q.dtype, torch.float32)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    require_finite(scale=scale)
    scores = q.to(computed) @ k.to(computed).transpose(-2, -1) * scale  # (B, H, Lq, Lk)
    if bias is not None:
        scores = scores + checked_bias(bias, scores.shape).to(computed)
    if mask is not None:
        scores = scores.masked_fill(~checked_mask(mask, scores.shape), -torch.inf)
    # softmax of a row of -inf is NaN, and so is its gradient: fill such a row before and after
    nowhere = scores.isneginf().all(-1, keepdim=True)  # (B, H, Lq, 1)
    weights = scores.masked_fill(nowhere, 0.0).softmax(-1).masked_fill(nowhere, 0.0)
    return weights.to(q.dtype)


def causal_mask(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Return True where a query may attend: at its own position and the past.

        mask[i, j] = (k_j - q_i <= 0)

    (Lq,), (Lk,) → (Lq, Lk), boolean. With a batch, (B, Lq), (B, Lk) → (B, Lq, Lk): add an axis for
    the heads, [:, None], and `&` it with the padding mask [:, None, None, :].

    Source: Vaswani et al. 2017, §3.2.3, by position instead of by column.
    Raises:
        TypeError, ValueError: as `relative_positions`.
    Example:
        >>> from posenc_ref import causal_mask, positions
        >>> causal_mask(positions(2, start=1), positions(3)).tolist()
        [[True, True, False], [True, True, True]]
    """
    return relative_positions(q_positions, k_positions) <= 0


def permutation_matrix(
    order: Tensor | Sequence[int], *, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return P, (L, L): row i of P x is row order[i] of x.

        P x = x[order],   P[i, order[i]] = 1

    Source: none, linear algebra.
    Raises:
        TypeError: order is not a list, or of booleans, complex numbers or floats of 16 bits.
        ValueError: order is not a permutation of 0 … L - 1 (not seen inside a graph or vmap).
    Example:
        >>> from posenc_ref import permutation_matrix
        >>> permutation_matrix([1, 0]).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
    """
    if not isinstance(dtype, torch.dtype):
        raise TypeError(f"dtype must be a torch.dtype, got {dtype!r}")
    require_lists(order=order)
    order = torch.as_tensor(order)
    if order.dtype in (torch.bool, torch.bfloat16, torch.float16) or order.is_complex():
        raise TypeError(f"order must be of integers, got {order.dtype}")
    length = order.numel()
    identity = torch.eye(length, dtype=dtype, device=order.device)
    counted = torch.arange(length, device=order.device)
    if order.dim() != 1 or false_somewhere(order.sort().values == counted):
        raise ValueError(f"order must hold each of 0 … L - 1 once, got {order.tolist()}")
    return identity[order.long()]


def _shape(x: Tensor) -> tuple[int, ...]:
    return tuple(x.shape)
