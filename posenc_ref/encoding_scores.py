"""Encodings that enter where the scores are made: a bias added to q·k/√D, or another score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from posenc_ref.cope import Divided, Gates, cope_scores
from posenc_ref.encoding import Encoding
from posenc_ref.scalars import require_integers
from posenc_ref.score_inputs import checked_bias
from posenc_ref.shaw import ShawEmbedding, shaw_values

STANDARD_DEVIATION = 0.02  # of tables that start near 0


class BiasEncoding(Encoding):
    """q kᵀ/√D + bias(q_positions, k_positions); a bias that is a module is trained too.

        scores = q kᵀ / √D + bias,   (B, H, Lq, Lk)

    T5 itself does not divide q·k by √D; here all do, so that encodings can be compared.

    Source: Press et al. 2022, §3; Raffel et al. 2020, §2.1.
    Raises:
        TypeError: the bias is not of floats; as `Encoding`.
        ValueError: the bias has another shape, also one that would broadcast; as `Encoding`.
    Example:
        >>> from posenc_ref import BiasEncoding, positions, relative_positions
        >>> q, at = torch.zeros(1, 1, 2, 4), positions(2)
        >>> encoding = BiasEncoding(lambda q_at, k_at: relative_positions(q_at, k_at)[None].float())
        >>> encoding.scores(q, q, at, at).tolist()
        [[[[0.0, 1.0], [-1.0, 0.0]]]]
    """

    def __init__(self, bias: Callable[[Tensor, Tensor], Tensor]) -> None:
        """Take the bias: (L,), (L,) → (H, L, L), with a batch of positions (B, H, L, L)."""
        super().__init__()
        self.bias = bias

    def scores(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the scores, in the dtype of q."""
        plain = super().scores(q, k, q_positions, k_positions)
        bias = checked_bias(self.bias(q_positions, k_positions), plain.shape)
        return (plain + bias).to(q.dtype)


class ScoreEncoding(Encoding):
    """score(q, k, q_positions, k_positions, **tables); its tables are trained too.

        scores = score(q, k, q_positions, k_positions, **tables),   (B, H, Lq, Lk)

    tables: name → shape; they start near 0. A module as score brings weights of its own.

    Source: none, plumbing; each score names its own.
    Raises:
        ValueError: a table's shape has a side that is not positive.
    Example:
        >>> from posenc_ref import ScoreEncoding, bert_relative_scores
        >>> dict(ScoreEncoding(bert_relative_scores, table=(31, 4)).named_parameters()).keys()
        dict_keys(['tables.table'])
    """

    def __init__(self, score: Callable[..., Tensor], **tables: tuple[int, ...]) -> None:
        """Make the tables, drawn from N(0, 0.02²)."""
        super().__init__()
        for name, shape in tables.items():
            for side in shape:
                require_integers(**{f"each side of {name}": side})
            if min(shape) < 1:
                raise ValueError(f"{name} must have positive sides, got {shape}")
        self.score = score
        self.tables = nn.ParameterDict(
            {name: STANDARD_DEVIATION * torch.randn(shape) for name, shape in tables.items()}
        )

    def scores(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the scores, in the dtype of q."""
        return self.score(q, k, q_positions, k_positions, **self.tables).to(q.dtype)


class ShawEncoding(ScoreEncoding):
    """Shaw's tables: the keys' table in the scores, the values' table in what is read.

        scores = q_i·(k_j + a^K_{j-i}) / √D, (B, H, Lq, Lk)
        read = Σ_j α_ij (v_j + a^V_{j-i}), (B, H, Lq, D);   a^K, a^V (2m + 1, D)

    Source: Shaw et al. 2018, §3.1, eq. (2) and (3).
    Raises:
        ValueError: head_dim or max_distance is not positive.
    Example:
        >>> from posenc_ref import ShawEncoding, positions
        >>> weights, values, at = torch.ones(1, 1, 1, 1), torch.zeros(1, 1, 1, 4), positions(1)
        >>> ShawEncoding(head_dim=4, max_distance=2).read(weights, values, at, at).shape
        torch.Size([1, 1, 1, 4])
    """

    def __init__(self, head_dim: int, *, max_distance: int = 16) -> None:
        """Make both tables."""
        super().__init__(ShawEmbedding(max_distance, head_dim))

    def read(
        self, weights: Tensor, values: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor:
        """Return Σ α (v + a^V).

        Raises:
            TypeError: as `Encoding.read`; positions are not integers.
            ValueError: as `Encoding.read`; values have other channels than the table.
        """
        plain, table = super().read(weights, values, q_positions, k_positions), self.score.values
        if plain.shape[-1] != table.shape[1]:
            shape = tuple(values.shape)
            raise ValueError(f"values must be (B, H, Lk, {table.shape[1]}), got {shape}")
        return plain + shaw_values(weights, q_positions, k_positions, table)


class CopeEncoding(ScoreEncoding):
    """CoPE, the only score that needs the mask: masked keys are not counted.

        scores = (q_i·k_j + q_i·e[p_ij]) / √D, (B, H, Lq, Lk);   e (rows, D)

    Source: Golovneva et al. 2024, §4.
    Raises:
        ValueError: head_dim or rows is not positive.
    Example:
        >>> from posenc_ref import CopeEncoding, positions
        >>> q, at = torch.zeros(1, 1, 2, 4), positions(2)
        >>> CopeEncoding(head_dim=4).scores(q, q, at, at).tolist()
        [[[[0.0, -inf], [0.0, 0.0]]]]
    """

    def __init__(
        self,
        head_dim: int,
        *,
        rows: int = 64,
        divided: Divided = "both",
        gates: Gates = "scaled",
    ) -> None:
        """Make the table; the count stops at `rows` - 1; the rest as `cope_scores`."""
        score = partial(cope_scores, divided=divided, gates=gates)
        super().__init__(score, table=(rows, head_dim))

    def scores(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the scores, -inf where masked."""
        return self.score(q, k, q_positions, k_positions, **self.tables, mask=mask)
