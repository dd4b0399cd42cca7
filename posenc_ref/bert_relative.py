"""`relative_key` and `relative_key_query` of BERT in Hugging Face transformers (Huang et al. 2020).

    key:        (q_i·k_j + q_i·e_{i-j}) / √D
    key_query:  (q_i·k_j + q_i·e_{i-j} + k_j·e_{i-j}) / √D

Often mistaken for Shaw's method: here the index is *query minus key*, nothing is clipped (a
distance beyond the table is an IndexError), the second variant has a key-side term, and values
are left alone.

Neither a compiled or exported graph nor vmap can read distances: there the look-up raises a
RuntimeError in place of the IndexError.
"""

from __future__ import annotations

from typing import Literal

from torch import Tensor

from posenc_ref.learned import require_rows
from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_choice
from posenc_ref.score_inputs import relative_for
from posenc_ref.tensors import require_floats

Variant = Literal["key", "key_query"]


def bert_relative_scores(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    table: Tensor,
    *,
    variant: Variant = "key",
) -> Tensor:
    """Return the scores (B, H, Lq, Lk); table (2·max_length - 1, D), row i - j + max_length - 1.

        (q_i·k_j + q_i·e_{i-j}) / √D,   and + k_j·e_{i-j} in variant "key_query"

    Source: Huang et al. 2020, eq. (12) and (14); `BertSelfAttention` of transformers 4.
    Raises:
        TypeError: positions are not integers, the table not of floats; as `relative_for`.
        ValueError: variant is unknown, the table is not (2·max_length - 1, D); as `relative_for`.
        IndexError: two tokens are max_length or more apart.
    Example:
        >>> from posenc_ref import bert_relative_scores, positions
        >>> q, table = torch.ones(1, 1, 2, 4), torch.tensor([[-1.0] * 4, [0.0] * 4, [1.0] * 4])
        >>> bert_relative_scores(q, 0 * q, positions(2), positions(2), table).tolist()
        [[[[0.0, -2.0], [2.0, 0.0]]]]
    """
    row = _row(relative_for(q, k, q_positions, k_positions), q.shape[-1], table, variant)
    row = row.expand(*q.shape[:3], k.shape[2])  # (B, H, Lq, Lk)
    table = table.to(q.dtype)
    scores = q @ k.mT + (q @ table.T).gather(-1, row)
    if variant == "key_query":
        scores = scores + (k @ table.T).gather(-1, row.mT).mT
    return scores * q.shape[-1] ** -0.5


def _row(relative: Tensor, dim: int, table: Tensor, variant: str) -> Tensor:
    require_choice(Variant, variant=variant)
    relative = checked_positions(relative, integral=True)
    require_floats(table=table)
    if table.dim() != 2 or len(table) % 2 == 0 or table.shape[1] != dim:
        raise ValueError(f"table must be (2·max_length - 1, {dim}), got {tuple(table.shape)}")
    row = len(table) // 2 - relative  # query - key + max_length - 1
    require_rows(row, len(table), "distance row")
    return row
