"""Contextual position encoding (CoPE), Golovneva et al. 2024: positions that content counts.

A gate g_ij = σ(q_i·k_j) says whether token j is counted. The position of j seen from i is the sum
of the gates from j to i, p_ij = Σ_{t=j}^{i} g_it: at the query itself g_ii, at most 1, not 0. It is
a real number, so q_i·e[p] is interpolated between the two whole numbers beside it. Causal: keys
ahead are closed *before* the sigmoid, or they would be counted. Positions stop at the last row of e.

The published code divides both q·k and q·e[p] by √D; its flag `cope_nodiv` and the paper do not.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.score_inputs import relative_for


def cope_scores(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    table: Tensor,
    *,
    divide: bool = True,
) -> Tensor:
    """Return the scores (B, H, Lq, Lk), -inf at keys ahead; table e is (rows, D).

    Source: Golovneva et al. 2024, §4, eq. (3)-(5); `context_position.py` in facebookresearch/RAM.
    Raises:
        TypeError, ValueError: as `relative_for`; the table is not (rows, D).
    Example:
        >>> from posenc_ref import cope_scores, positions
        >>> q, table = torch.zeros(1, 1, 2, 4), torch.zeros(3, 4)
        >>> cope_scores(q, q, positions(2), positions(2), table).tolist()
        [[[[0.0, -inf], [0.0, 0.0]]]]
    """
    visible = relative_for(q, k, q_positions, k_positions) <= 0
    if table.dim() != 2 or table.shape[1] != q.shape[-1] or not len(table):
        raise ValueError(f"table must be (rows, {q.shape[-1]}), got {tuple(table.shape)}")
    scale = q.shape[-1] ** -0.5 if divide else 1.0
    scores = (q @ k.mT * scale).masked_fill(~visible, -torch.inf)
    at = cope_positions(scores, len(table))
    return scores + cope_term(q, at, table) * scale


def cope_positions(scores: Tensor, rows: int) -> Tensor:
    """Return p_ij, how much is counted from j to the query, at most rows - 1; same shape as scores.

    scores are -inf at keys that the query may not see.

    Source: Golovneva et al. 2024, §4, eq. (3)-(4).
    Raises:
        ValueError: rows is not positive.
    Example:
        >>> from posenc_ref import cope_positions
        >>> cope_positions(torch.tensor([0.0, 0.0, 0.0, -torch.inf]), rows=9).tolist()
        [1.5, 1.0, 0.5, 0.0]
    """
    if rows < 1:
        raise ValueError(f"rows must be positive, got {rows}")
    gates = scores.sigmoid()
    return gates.flip(-1).cumsum(-1).flip(-1).clamp(max=rows - 1)


def cope_term(q: Tensor, at: Tensor, table: Tensor) -> Tensor:
    """Return q_i·e[p_ij], interpolated between rows, (B, H, Lq, Lk); at holds p_ij.

    Source: Golovneva et al. 2024, §4, eq. (5).
    Raises:
        IndexError, RuntimeError: a position is beyond the table (torch's own).
    Example:
        >>> from posenc_ref import cope_term
        >>> q, table = torch.ones(1, 1, 1, 1), torch.tensor([[0.0], [10.0]])
        >>> cope_term(q, torch.full((1, 1, 1, 1), 0.25), table).item()
        2.5
    """
    by_row = q @ table.to(q.dtype).T  # (B, H, Lq, rows)
    below, above = by_row.gather(-1, at.floor().long()), by_row.gather(-1, at.ceil().long())
    share = at - at.floor()
    return below + (above - below) * share
