"""What every score method starts from: q, k and positions that fit, and key minus query."""

from __future__ import annotations

from torch import Tensor

from posenc_ref.positions import relative_positions


def relative_for(q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Return key - query, ready to meet scores (B, H, Lq, Lk): (Lq, Lk) or (B, 1, Lq, Lk).

    Source: none, plumbing of the score methods.
    Raises:
        TypeError: q and k are not of one float dtype; as `relative_positions`.
        ValueError: q (B, H, Lq, D), k (B, H, Lk, D), positions (L,) or (B, L) disagree.
    Example:
        >>> from posenc_ref import positions
        >>> from posenc_ref.score_inputs import relative_for
        >>> one, two = torch.zeros(1, 1, 1, 2), torch.zeros(1, 1, 2, 2)
        >>> relative_for(one, two, positions(1), positions(2)).tolist()
        [[0, 1]]
    """
    fits = q.dim() == k.dim() == 4 and q.shape[:2] == k.shape[:2] and q.shape[3] == k.shape[3]
    if not fits:
        raise ValueError(f"q (B, H, Lq, D) and k (B, H, Lk, D) disagree: {_shapes(q, k)}")
    if q.dtype != k.dtype or not q.is_floating_point():
        raise TypeError(f"q and k must have one float dtype, got {q.dtype} and {k.dtype}")
    relative = relative_positions(q_positions, k_positions)
    pairs = (q.shape[2], k.shape[2])
    if tuple(relative.shape) not in (pairs, (q.shape[0], *pairs)):
        raise ValueError(
            f"positions (L,) or (B, L) do not fit q and k {_shapes(q, k)}: "
            f"{_shapes(q_positions, k_positions)}"
        )
    return relative[:, None] if relative.dim() == 3 else relative


def _shapes(one: Tensor, two: Tensor) -> str:
    return f"{tuple(one.shape)} and {tuple(two.shape)}"
