"""Relative position representations, Shaw et al. 2018: learned vectors for clipped distances.

    e_ij = q_i · (k_j + a^K_ij) / √D,   z_i = Σ_j α_ij (v_j + a^V_ij)
    a_ij: row clip(j - i, ±m) + m of a table

j - i is key minus query. A table has 2m + 1 rows of size D, shared by all heads; the value table is
optional. q·a is a dot product of two vectors; one number per distance would be T5.

No (Lq, Lk, D) tensor is made: q meets the 2m + 1 rows once and the scores are gathered by distance
(Huang et al. 2018 do the same by skewing); weights are summed by distance before they meet the
value rows.

The two sides may be clipped differently: with `past` given, a table (past + 1 + future, D) holds
the distances -past … future. Wav2Vec2-BERT and SeamlessM4T have 64 and 8.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_ref.positions import checked_positions, relative_positions
from posenc_ref.scalars import require_integers
from posenc_ref.score_inputs import relative_for
from posenc_ref.tensors import require_floats


def shaw_scores(
    q: Tensor,
    k: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    table: Tensor,
    *,
    past: int | None = None,
) -> Tensor:
    """Return q·(k + a^K) / √D, (B, H, Lq, Lk); table (2m + 1, D) holds a^K for -m … m.

        q_i · (k_j + a^K_ij) / √D,   a^K_ij = table[clip(j - i, ±m) + m]

    past: how many rows stand before distance 0, if it is not the middle one.

    Source: Shaw et al. 2018, §3.1-3.2, eq. (4); `past`: Wav2Vec2BertSelfAttention of
    `modeling_wav2vec2_bert.py` in Hugging Face transformers.
    Raises:
        TypeError: positions are not integers, the table not of floats; as `relative_for`.
        ValueError: the table is not (2m + 1, D), or has no row `past`; as `relative_for`.
    Example:
        >>> from posenc_ref import positions, shaw_scores
        >>> q = torch.ones(1, 1, 2, 4)
        >>> table = torch.tensor([[-1.0] * 4, [0.0] * 4, [1.0] * 4])
        >>> shaw_scores(q, 0 * q, positions(2), positions(2), table).tolist()
        [[[[0.0, 2.0], [-2.0, 0.0]]]]
    """
    row = _row(relative_for(q, k, q_positions, k_positions), table, past, q.shape[-1])
    by_distance = q @ table.to(q.dtype).T  # (B, H, Lq, 2m + 1)
    relative = by_distance.gather(-1, row.expand(*q.shape[:3], k.shape[2]))
    return (q @ k.mT + relative) * q.shape[-1] ** -0.5


def shaw_values(
    weights: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    table: Tensor,
    *,
    past: int | None = None,
) -> Tensor:
    """Return Σ_j α_ij a^V_ij, (B, H, Lq, D), to add to α v; weights α are (B, H, Lq, Lk).

        z_i = Σ_j α_ij a^V_ij,   a^V_ij = table[clip(j - i, ±m) + m]

    past: as `shaw_scores`.

    Source: Shaw et al. 2018, §3.1, eq. (3).
    Raises:
        TypeError: weights or the table are not of floats; positions are not integers.
        ValueError: weights do not fit the positions; the table is not (2m + 1, D), or has no row
            `past`.
    Example:
        >>> from posenc_ref import positions, shaw_values
        >>> table = torch.tensor([[1.0], [10.0], [100.0]])
        >>> shaw_values(torch.full((1, 1, 1, 2), 0.5), positions(1), positions(2), table).item()
        55.0
    """
    row = _row(_relative(weights, q_positions, k_positions), table, past).expand(weights.shape)
    by_distance = weights.new_zeros(*weights.shape[:3], len(table)).scatter_add(-1, row, weights)
    return by_distance @ table.to(weights.dtype)


class ShawEmbedding(nn.Module):
    """The two tables, `keys` and `values`, each (2m + 1, D).

        a_ij = table[clip(j - i, ±m) + m]

    Source: Shaw et al. 2018, §3.2; m = 16 in the paper's base model.
    Raises:
        TypeError: a size is not an integer.
        ValueError: max_distance or head_dim is not positive.
    Example:
        >>> from posenc_ref import ShawEmbedding
        >>> ShawEmbedding(max_distance=16, head_dim=64).keys.shape
        torch.Size([33, 64])
    """

    def __init__(self, max_distance: int, head_dim: int) -> None:
        """Draw both tables by Xavier's rule."""
        super().__init__()
        require_integers(max_distance=max_distance, head_dim=head_dim)
        if max_distance < 1 or head_dim < 1:
            raise ValueError(f"sizes must be positive, got {max_distance} and {head_dim}")
        self.keys = nn.Parameter(torch.empty(2 * max_distance + 1, head_dim))
        self.values = nn.Parameter(torch.empty(2 * max_distance + 1, head_dim))
        for table in (self.keys, self.values):
            nn.init.xavier_uniform_(table)

    def forward(self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return `shaw_scores`; `shaw_values` with `values` is the other half of the method."""
        return shaw_scores(q, k, q_positions, k_positions, self.keys)


def _relative(weights: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
    require_floats(weights=weights)
    relative = relative_positions(q_positions, k_positions)
    shape, pairs = tuple(weights.shape), tuple(relative.shape)
    if weights.dim() != 4 or pairs not in (shape[2:], (shape[0], *shape[2:])):
        raise ValueError(f"weights (B, H, Lq, Lk) and positions disagree: {shape} and {pairs}")
    return relative[:, None] if relative.dim() == 3 else relative


def _row(relative: Tensor, table: Tensor, past: int | None, dim: int | None = None) -> Tensor:
    require_floats(table=table)
    shape = tuple(table.shape)
    if len(shape) != 2 or dim not in (None, shape[1]) or (past is None and shape[0] % 2 == 0):
        raise ValueError(f"table must be (2m + 1, {dim or 'D'}), got {shape}")
    past = shape[0] // 2 if past is None else past
    require_integers(past=past)
    if not 0 <= past < shape[0]:
        raise ValueError(f"past must be a row of the table {shape}, got {past}")
    relative = checked_positions(relative, integral=True)
    return relative.clamp(-past, shape[0] - 1 - past) + past
