"""Disentangled attention, DeBERTa, He et al. 2021, §3.1: content and relative position apart.

    (q_i·k_j + q_i·K^r_δ(i,j) + k_j·Q^r_δ) / √(D·(1 + number of relative terms))

δ(i, j) = clip(i - j + m, 0, 2m - 1) numbers the distance, *query minus key*. c2p reads K^r at
δ(i, j). For p2c the paper prints δ(j, i), but all code, Microsoft's and Hugging Face's, reads
δ(i, j): the call names it. The root is √(3D) only with both relative terms. v2 and v3 put the
distance into log buckets first (deberta_buckets.py), and clip the bucket. No vector is made for a
pair of tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from torch import Tensor

from posenc_ref.deberta_buckets import deberta_bucket
from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_choice, require_lists
from posenc_ref.score_inputs import relative_for
from posenc_ref.tensors import require_floats

Index = Literal["code", "paper"]
TERMS = ("c2p", "p2c")


class DisentangledTerms(NamedTuple):
    """The three terms of the score, each (B, H, Lq, Lk), not yet divided.

        c2c = q_i·k_j,   c2p = q_i·K^r_δ,   p2c = k_j·Q^r_δ

    Source: He et al. 2021, §3.1, eq. (2).
    Example:
        >>> from posenc_ref import DisentangledTerms
        >>> DisentangledTerms._fields
        ('c2c', 'c2p', 'p2c')
    """

    c2c: Tensor
    c2p: Tensor
    p2c: Tensor


def deberta_terms(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    relative_q: Tensor,
    relative_k: Tensor,
    *,
    p2c_index: Index = "code",
    max_distance: float | None = None,
) -> DisentangledTerms:
    """Return q·k, q·K^r, k·Q^r, (B, H, Lq, Lk); relative_q, relative_k are Q^r, K^r, (H, 2m, D).

        c2c = q_i·k_j,   c2p = q_i·K^r_δ(i,j),   p2c = k_j·Q^r_δ(i,j)   ("paper": k_j·Q^r_δ(j,i))

    max_distance: None clips distances to ±m (v1); a number puts them into m log buckets (v2, v3).

    Source: He et al. 2021, §3.1, eq. (2)-(4).
    Raises:
        TypeError: positions are not integers, a table is not of floats; as `relative_for`.
        ValueError: as `relative_for` and `deberta_bucket`; a table does not fit q; the index is
            unknown.
    Example:
        >>> from posenc_ref import deberta_terms, positions
        >>> q, table = torch.ones(1, 1, 2, 4), torch.arange(4.0).view(1, 4, 1).expand(1, 4, 4)
        >>> deberta_terms(q, q, positions(2), positions(2), table, table).c2p.tolist()
        [[[[8.0, 4.0], [12.0, 8.0]]]]
    """
    distance = -relative_for(q, k, q_positions, k_positions)  # query - key
    _check(q, relative_q, relative_k, p2c_index)
    rows = _rows(distance, relative_k.shape[1], p2c_index, max_distance)
    c2p, p2c = (row.expand(*q.shape[:3], k.shape[2]) for row in rows)
    by_query = q @ relative_k.to(q.dtype).mT  # (B, H, Lq, 2m)
    by_key = k @ relative_q.to(k.dtype).mT  # (B, H, Lk, 2m)
    return DisentangledTerms(q @ k.mT, by_query.gather(-1, c2p), by_key.gather(-1, p2c.mT).mT)


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
    max_distance: float | None = None,
) -> Tensor:
    """Return the scores (B, H, Lq, Lk): c2c and the relative `terms`, over √(D·(1 + their number)).

        (c2c + c2p + p2c) / √(3D)   with both terms

    Source: He et al. 2021, §3.1, eq. (4); `disentangled_attention.py` in microsoft/DeBERTa.
    Raises:
        TypeError: as `deberta_terms`; terms are not a list.
        ValueError: as `deberta_terms`; a term is unknown or named twice.
    Example:
        >>> from posenc_ref import deberta_scores, positions
        >>> q, table = torch.ones(1, 1, 2, 4), torch.arange(4.0).view(1, 4, 1).expand(1, 4, 4)
        >>> deberta_scores(q, 0 * q, positions(2), positions(2), table, table, terms=["c2p"])
        tensor([[[[2.8284, 1.4142],
                  [4.2426, 2.8284]]]])
    """
    require_lists(terms=terms)
    if len(set(terms)) != len(terms) or not set(terms) <= set(TERMS):
        raise ValueError(f"terms must be among {', '.join(TERMS)}, got {', '.join(terms)}")
    computed = deberta_terms(
        *(q, k, q_positions, k_positions, relative_q, relative_k),
        p2c_index=p2c_index,
        max_distance=max_distance,
    )
    total = sum((getattr(computed, name) for name in terms), start=computed.c2c)
    return total * (q.shape[-1] * (1 + len(terms))) ** -0.5


def _rows(
    distance: Tensor, rows: int, index: Index, max_distance: float | None
) -> tuple[Tensor, Tensor]:
    """Return δ for c2p and for p2c, in the shape of the distances."""
    distance, span = checked_positions(distance, integral=True), rows // 2  # m
    if max_distance is not None:
        distance = deberta_bucket(distance, buckets=span, max_distance=max_distance)
    back = distance if index == "code" else -distance
    return tuple((d + span).clamp(0, 2 * span - 1) for d in (distance, back))


def _check(q: Tensor, relative_q: Tensor, relative_k: Tensor, index: str) -> None:
    require_floats(relative_q=relative_q, relative_k=relative_k)
    _, heads, _, dim = q.shape
    shapes = [tuple(table.shape) for table in (relative_q, relative_k)]
    for shape in shapes:
        if len(shape) != 3 or shape[::2] != (heads, dim) or shape[1] % 2 or not shape[1]:
            raise ValueError(f"relative_q and relative_k must be ({heads}, 2m, {dim}), got {shape}")
    if shapes[0] != shapes[1]:
        raise ValueError(f"relative_q and relative_k differ: {shapes[0]} and {shapes[1]}")
    require_choice(Index, p2c_index=index)
