"""Self-Extend (Jin et al. 2024) and ReRoPE (Su 2023): no distance beyond those seen in training.

Both leave the frequencies of RoPE alone and change positions. A key within the window w keeps its
exact distance. Beyond it, positions are divided into groups of G, and the query is shifted, so that
the grouped distances begin where the exact ones end:

    key - query = j - i                                 if i - j < w
                  ⌊j/G⌋ - (⌊i/G⌋ + w - ⌊w/G⌋)           else

That is a rotation again, of other positions, so near and far scores are two matrices from the same
queries and keys. `group=None` is ReRoPE: one group for all that is far, which then stands at
distance w. `group=1` is RoPE.

Scores depend on more than the distance: the borders of the groups are fixed in the text.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions, relative_positions
from posenc_ref.rope import Layout, rotate
from posenc_ref.rope_angles import rope_angles
from posenc_ref.scalars import require_integers
from posenc_ref.score_inputs import relative_for


def self_extend_relative(
    q_positions: Tensor, k_positions: Tensor, *, window: int, group: int | None
) -> Tensor:
    """Return key - query as the scores see it, shape (…, Lq, Lk), integers as the positions are.

        j - i if i - j < w,   ⌊j/G⌋ - ⌊i/G⌋ - w + ⌊w/G⌋ else;   -w if group is None

    Source: Jin et al. 2024; `self_extend_forward` in datamllab/LongLM.
    Raises:
        TypeError: positions, window or group are not integers.
        ValueError: window or group is not positive; as `relative_positions`.
    Example:
        >>> from posenc_ref import positions, self_extend_relative
        >>> self_extend_relative(positions(1, start=8), positions(9), window=4, group=2).tolist()
        [[-6, -6, -5, -5, -4, -3, -2, -1, 0]]
    """
    near = relative_positions(*_checked(window, group, q_positions, k_positions))
    far = relative_positions(*_grouped(q_positions, k_positions, window, group))
    return torch.where(near > -window, near, far)


def self_extend_scores(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    frequencies: Tensor,
    *,
    window: int,
    group: int | None,
    layout: Layout,
) -> Tensor:
    """Return the scores (B, H, Lq, Lk) of q and k that are not rotated yet.

        q_i · R_r k_j / √D,   r = `self_extend_relative`

    frequencies: (D/2,), of plain RoPE.

    Source: Jin et al. 2024; `self_extend_forward` in datamllab/LongLM. ReRoPE: Su 2023.
    Raises:
        TypeError: as `self_extend_relative`, `rotate` and `rope_angles`.
        ValueError: as `self_extend_relative`, `rotate` and `rope_angles`; q (B, H, Lq, D),
            k (B, H, Lk, D) and positions disagree.
    Example:
        >>> from posenc_ref import frequencies, positions, self_extend_scores
        >>> q, at, omega = torch.ones(1, 1, 4, 2), positions(4), frequencies(2)
        >>> settings = {"window": 2, "group": None, "layout": "half"}
        >>> last = self_extend_scores(q, q, at, at, omega, **settings)[0, 0, 3]
        >>> (last / 2**0.5).round(decimals=3).tolist()  # cos 2, cos 2, cos 1, cos 0
        [-0.41600000858306885, -0.41600000858306885, 0.5400000214576721, 1.0]
    """
    exact = _checked(window, group, q_positions, k_positions)
    near = relative_for(q, k, *exact) > -window
    omega = frequencies.to(q.device)
    scores = [
        _turned(q, q_at, omega, layout) @ _turned(k, k_at, omega, layout).mT
        for q_at, k_at in (exact, _grouped(*exact, window, group))
    ]
    return torch.where(near, *scores) * q.shape[-1] ** -0.5


def _turned(x: Tensor, at: Tensor, frequencies: Tensor, layout: Layout) -> Tensor:
    return rotate(x, rope_angles(at, frequencies), layout=layout)


def _grouped(
    q_positions: Tensor, k_positions: Tensor, window: int, group: int | None
) -> tuple[Tensor, Tensor]:
    """Return the grouped positions that score far keys."""
    if group is None:
        return torch.full_like(q_positions, window), torch.zeros_like(k_positions)
    moved = window - window // group
    return q_positions // group + moved, k_positions // group


def _checked(
    window: int, group: int | None, q_positions: Tensor, k_positions: Tensor
) -> tuple[Tensor, Tensor]:
    sizes = {"window": window} | ({} if group is None else {"group": group})
    require_integers(**sizes)
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be positive, got {size}")
    return (
        checked_positions(q_positions, integral=True),
        checked_positions(k_positions, integral=True),
    )
