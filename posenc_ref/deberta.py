"""Disentangled attention, DeBERTa, He et al. 2021, §3.1: content and relative position apart.

    (q_i·k_j + q_i·K^r_δ(i,j) + k_j·Q^r_δ) / √(D·(1 + number of relative terms))

δ(i, j) = clip(i - j + m, 0, 2m - 1) numbers the distance, *query minus key*. c2p reads K^r at
δ(i, j). For p2c the paper prints δ(j, i), and all code, Microsoft's and Hugging Face's, reads
δ(i, j): named in the call. The root is √(3D) only when both relative terms are there. v2 and v3 put
the distance into log buckets first (deberta_buckets.py), and clip the bucket.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from torch import Tensor

from posenc_ref.deberta_buckets import deberta_bucket
from posenc_ref.score_inputs import relative_for

Index = Literal["code", "paper"]
TERMS = ("c2p", "p2c")


def deberta_scores(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    relative_q: Tensor,
    relative_k: Tensor,
    *,
    terms: Sequence[str] = TERMS,
    p2c_index: Index = "code",
    max_distance: int | None = None,
) -> Tensor:
    """Return the scores (B, H, Lq, Lk); relative_q and relative_k are Q^r and K^r, (H, 2m, D).

    max_distance: None clips distances to ±m (v1); a number puts them into m log buckets (v2, v3).

    Source: He et al. 2021, §3.1, eq. (3)-(4); `disentangled_attention.py` in microsoft/DeBERTa.
    Raises:
        TypeError: as `relative_for`.
        ValueError: as `relative_for`; a table does not fit q; a term or index is unknown.
    Example:
        >>> from posenc_ref import deberta_scores, positions
        >>> q, table = torch.ones(1, 1, 2, 4), torch.arange(4.0).view(1, 4, 1).expand(1, 4, 4)
        >>> deberta_scores(q, 0 * q, positions(2), positions(2), table, table, terms=["c2p"])
        tensor([[[[2.8284, 1.4142],
                  [4.2426, 2.8284]]]])
    """
    distance = -relative_for(q, k, q_positions, k_positions)  # query - key
    _check(q, relative_q, relative_k, terms, p2c_index)
    span = relative_k.shape[1] // 2  # m
    if max_distance is not None:
        distance = deberta_bucket(distance, buckets=span, max_distance=max_distance)

    def delta(distance: Tensor) -> Tensor:
        return (distance + span).clamp(0, 2 * span - 1).expand(*q.shape[:3], k.shape[2])

    scores = q @ k.mT
    if "c2p" in terms:
        scores = scores + (q @ relative_k.to(q.dtype).mT).gather(-1, delta(distance))
    if "p2c" in terms:
        index = delta(distance if p2c_index == "code" else -distance)
        scores = scores + (k @ relative_q.to(q.dtype).mT).gather(-1, index.mT).mT
    return scores * (q.shape[-1] * (1 + len(terms))) ** -0.5


def _check(
    q: Tensor, relative_q: Tensor, relative_k: Tensor, terms: Sequence[str], index: str
) -> None:
    _, heads, _, dim = q.shape
    for table in (relative_q, relative_k):
        shape = tuple(table.shape)
        if len(shape) != 3 or shape[::2] != (heads, dim) or shape[1] % 2:
            raise ValueError(f"relative_q and relative_k must be ({heads}, 2m, {dim}), got {shape}")
    if len(set(terms)) != len(terms) or not set(terms) <= set(TERMS):
        raise ValueError(f"terms must be among {', '.join(TERMS)}, got {', '.join(terms)}")
    if index not in get_args(Index):
        raise ValueError(f"p2c_index must be one of {', '.join(get_args(Index))}, got {index!r}")
