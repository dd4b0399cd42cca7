"""Contextual position encoding (CoPE), Golovneva et al. 2024: positions counted by content.

A gate g_ij = σ(q_i·k_j / √D) says whether token j is counted. The position of j seen from i is the
sum of the gates from j to i, p_ij = Σ_{t=j}^{i} g_it: at the query itself g_ii, at most 1, not 0.
It is a real number, so q_i·e[p] is interpolated between the whole numbers beside it. The count
stops at the last row of e. Keys that are ahead or masked are closed *before* the sigmoid, or they
would be counted: a mask after the softmax comes too late. Keys must be in order of position.

Two scalings are in use, named in the call. "both": (q·k + q·e[p]) / √D, the published code.
"content": q·k / √D + q·e[p], its flag `cope_nodiv` and the listing in the paper. Two kinds of gates
are named likewise. "scaled": σ(q·k / √D), as above, in the published code. "unscaled": σ(q·k), as
the paper's equation is printed; the same scores open or close such a gate √D times as firmly.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from posenc_ref.learned import require_rows
from posenc_ref.scalars import require_choice, require_integers
from posenc_ref.score_inputs import checked_mask, relative_for
from posenc_ref.tensors import require_floats

Divided = Literal["both", "content"]
Gates = Literal["scaled", "unscaled"]


def cope_scores(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    table: Tensor,
    *,
    divided: Divided = "both",
    gates: Gates = "scaled",
    mask: Tensor | None = None,
) -> Tensor:
    """Return the scores (B, H, Lq, Lk), -inf at keys ahead or masked; table e is (rows, D).

        q_i·k_j / √D + q_i·e[p_ij] / √D        ("content": the second term is not divided)
        p_ij counts σ(q_i·k_t / √D)            ("unscaled": it counts σ(q_i·k_t))

    mask: boolean, True = may attend and is counted, as in `attention`; padding and other documents.
    16-bit inputs are counted in float32; the result has their dtype.

    Source: Golovneva et al. 2024, §4, eq. (3)-(5); `context_position.py` in facebookresearch/RAM.
    Raises:
        TypeError: as `relative_for`; the table is not of floats, the mask not boolean.
        ValueError: as `relative_for`; the table or the mask has another shape; divided or gates is
            unknown.
    Example:
        >>> from posenc_ref import cope_scores, positions
        >>> q, table = torch.zeros(1, 1, 2, 4), torch.zeros(3, 4)
        >>> cope_scores(q, q, positions(2), positions(2), table).tolist()
        [[[[0.0, -inf], [0.0, 0.0]]]]
    """
    visible = relative_for(q, k, q_positions, k_positions) <= 0
    _check(q, table)
    require_choice(Divided, divided=divided)
    require_choice(Gates, gates=gates)
    if mask is not None:
        visible = visible & checked_mask(mask, (*q.shape[:3], k.shape[2]))
    scale, counted = q.shape[-1] ** -0.5, torch.promote_types(q.dtype, torch.float32)
    products = (q.to(counted) @ k.to(counted).mT).masked_fill(~visible, -torch.inf)
    scores = products * scale
    at = cope_positions(scores if gates == "scaled" else products, len(table))
    term = _interpolated(q.to(counted), at, table)
    return (scores + term * (scale if divided == "both" else 1.0)).to(q.dtype)


def cope_positions(scores: Tensor, rows: int) -> Tensor:
    """Return p_ij, how much is counted from j to the query, at most rows - 1, (…, Lq, Lk).

        p_ij = min(Σ_{t=j}^{Lk-1} σ(scores_it), rows - 1),   scores (…, Lq, Lk)

    scores are q·k / √D, -inf at keys that the query may not see. 16-bit scores give float32, as
    bfloat16 cannot count beyond 256.

    Source: Golovneva et al. 2024, §4, eq. (3)-(4).
    Raises:
        TypeError: scores are not of floats; rows is not an integer.
        ValueError: rows is not positive.
    Example:
        >>> from posenc_ref import cope_positions
        >>> cope_positions(torch.tensor([0.0, 0.0, 0.0, -torch.inf]), rows=9).tolist()
        [1.5, 1.0, 0.5, 0.0]
    """
    require_floats(scores=scores)
    require_integers(rows=rows)
    if rows < 1:
        raise ValueError(f"rows must be positive, got {rows}")
    gates = scores.to(torch.promote_types(scores.dtype, torch.float32)).sigmoid()
    return gates.flip(-1).cumsum(-1).flip(-1).clamp(max=rows - 1)


def cope_term(q: Tensor, at: Tensor, table: Tensor) -> Tensor:
    """Return q_i·e[p_ij], interpolated between rows, (B, H, Lq, Lk); at holds p_ij.

        (1 - f) q_i·e[⌊p⌋] + f q_i·e[⌈p⌉],   f = p - ⌊p⌋,   e (rows, D)

    Each query meets the rows once; the products are gathered by p.

    A position that is NaN gives NaN. Inside a graph or under vmap the look-up itself raises,
    instead of an IndexError that names the position.

    Source: Golovneva et al. 2024, §4, eq. (5).
    Raises:
        TypeError: q, at or the table is not of floats.
        ValueError: q (B, H, Lq, D), at (B, H, Lq, Lk) and table (rows, D) disagree.
        IndexError: a position is not in 0 … rows - 1.
    Example:
        >>> from posenc_ref import cope_term
        >>> q, table = torch.ones(1, 1, 1, 1), torch.tensor([[0.0], [10.0]])
        >>> cope_term(q, torch.full((1, 1, 1, 1), 0.25), table).item()
        2.5
    """
    require_floats(at=at)
    _check(q, table, at)
    return _interpolated(q, at, table)


def _interpolated(q: Tensor, at: Tensor, table: Tensor) -> Tensor:
    by_row = q @ table.to(q.dtype).T  # (B, H, Lq, rows)
    below, above = (by_row.gather(-1, row) for row in _rows(at))
    return below + (above - below) * at.frac().to(by_row.dtype)


def _rows(at: Tensor) -> tuple[Tensor, Tensor]:
    """Return ⌊p⌋ and ⌈p⌉; a p that is NaN reads row 0, and its fraction is NaN still."""
    numbers = at.nan_to_num()
    return numbers.floor().long(), numbers.ceil().long()


def _check(q: Tensor, table: Tensor, at: Tensor | None = None) -> None:
    require_floats(q=q, table=table)
    if at is not None and (q.dim() != 4 or at.shape[:-1] != q.shape[:-1]):
        shapes = f"{tuple(q.shape)} and {tuple(at.shape)}"
        raise ValueError(f"q (B, H, Lq, D) and at (B, H, Lq, Lk) disagree: {shapes}")
    if table.dim() != 2 or table.shape[1] != q.shape[-1] or not len(table):
        raise ValueError(f"table must be (rows, {q.shape[-1]}), got {tuple(table.shape)}")
    for row in () if at is None else _rows(at):
        require_rows(row, len(table), "position")
