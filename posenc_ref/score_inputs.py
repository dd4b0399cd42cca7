"""What every score method starts from: q, k, positions and masks that fit, and key minus query."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions, relative_positions
from posenc_ref.tensors import false_somewhere, require_one_dtype, require_tensors


def relative_for(q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Return key - query, ready to meet scores (B, H, Lq, Lk): (Lq, Lk) or (B, 1, Lq, Lk).

    Source: none, plumbing of the score methods.
    Raises:
        TypeError: q and k are not tensors of one float dtype; as `relative_positions`.
        ValueError: q (B, H, Lq, D), k (B, H, Lk, D), positions (L,) or (B, L) disagree; D is 0.
    Example:
        >>> from posenc_ref import positions
        >>> from posenc_ref.score_inputs import relative_for
        >>> one, two = torch.zeros(1, 1, 1, 2), torch.zeros(1, 1, 2, 2)
        >>> relative_for(one, two, positions(1), positions(2)).tolist()
        [[0, 1]]
    """
    require_scores(q, k, q_positions, k_positions)
    relative = relative_positions(q_positions, k_positions)
    return relative[:, None] if relative.dim() == 3 else relative


def require_scores(q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor) -> None:
    """Refuse q, k and positions that do not make scores (B, H, Lq, Lk)."""
    require_queries_and_keys(q, k)
    require_positions((q, k), q_positions, k_positions, "q and k")


def require_queries_and_keys(q: Tensor, k: Tensor) -> None:
    """Refuse q and k that are not (B, H, Lq, D) and (B, H, Lk, D) in one float dtype."""
    require_tensors(q=q, k=k)
    fits = q.dim() == k.dim() == 4 and q.shape[:2] == k.shape[:2] and q.shape[3] == k.shape[3]
    if not fits:
        raise ValueError(f"q (B, H, Lq, D) and k (B, H, Lk, D) disagree: {_shapes(q, k)}")
    if not q.shape[3]:  # there is no 1/√0
        raise ValueError(f"q and k must have channels, got {_shapes(q, k)}")
    if q.dtype != k.dtype or not q.is_floating_point():
        raise TypeError(f"q and k must have one float dtype, got {q.dtype} and {k.dtype}")


def require_read(weights: Tensor, values: Tensor, q_positions: Tensor, k_positions: Tensor) -> None:
    """Refuse weights (B, H, Lq, Lk), values (B, H, Lk, D) and positions that disagree."""
    require_one_dtype(weights=weights, values=values)
    fits = weights.dim() == values.dim() == 4 and weights.shape[:2] == values.shape[:2]
    if not fits or weights.shape[3] != values.shape[2]:
        shapes = _shapes(weights, values)
        raise ValueError(f"weights (B, H, Lq, Lk) and values (B, H, Lk, D) disagree: {shapes}")
    require_positions((weights, values), q_positions, k_positions, "weights and values")


def require_positions(
    met: tuple[Tensor, Tensor], q_positions: Tensor, k_positions: Tensor, what: str
) -> None:
    """Refuse positions that are not (L,) or (B, L) beside two of (B, H, Lq, …), (B, H, Lk, …)."""
    (batch, _, queries, _), keys = met[0].shape, met[1].shape[2]
    shapes = tuple(checked_positions(at).shape for at in (q_positions, k_positions))
    if shapes not in (((queries,), (keys,)), ((batch, queries), (batch, keys))):
        raise ValueError(
            f"positions (L,) or (B, L) do not fit {what} {_shapes(*met)}: "
            f"{_shapes(q_positions, k_positions)}"
        )


def checked_mask(mask: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the mask of scores of this shape (B, H, Lq, Lk), or raise an error."""
    require_tensors(mask=mask)
    if mask.dtype != torch.bool:
        raise TypeError(f"mask must be boolean, True = may attend, got {mask.dtype}")
    b, h, *pairs = shape
    if list(mask.shape) not in ([*pairs], [b, 1, *pairs], [b, h, *pairs]):
        raise ValueError(
            f"mask {tuple(mask.shape)} does not fit scores (B, H, Lq, Lk) = {tuple(shape)}"
        )
    return mask


def checked_bias(bias: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the bias of scores of this shape (B, H, Lq, Lk), or raise an error."""
    require_tensors(bias=bias)
    if not bias.is_floating_point():
        raise TypeError(f"bias must be floating point, got {bias.dtype}; a boolean belongs in mask")
    b, h, *pairs = shape
    if list(bias.shape) not in ([*pairs], [h, *pairs], [b, h, *pairs]):
        raise ValueError(
            f"bias {tuple(bias.shape)} does not fit scores (B, H, Lq, Lk) = {tuple(shape)}"
        )
    return bias


def require_numbers(condition: Tensor, numbers: Tensor, message: str) -> None:
    """Raise a ValueError with the numbers at which a condition fails, where they can be read."""
    if false_somewhere(condition):
        raise ValueError(f"{message}, got {numbers[~condition].tolist()}")


def _shapes(left: Tensor, right: Tensor) -> str:
    return f"{tuple(left.shape)} and {tuple(right.shape)}"
