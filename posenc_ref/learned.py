"""Learned absolute positions: row p of a trained table is added to the embedding of the token.

Two published ways to use it:

- BERT (Devlin et al. 2019, §3, Figure 2): LayerNorm(word + segment + position).
- GPT-2 (Radford et al. 2019): wte(tokens) + wpe(positions), no LayerNorm here; with `past` tokens
  in the cache the positions go on from there: `wpe(positions(length, start=past))`.

A table has rows for 0 … max_length - 1 and nothing beyond: further positions are an error here,
as they are an IndexError on the CPU and a device-side assertion on a GPU. Neither BERT nor GPT-2
derives positions from a padding mask by itself; hand in `positions_from_mask(mask)`.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_integers
from posenc_ref.tensors import false_somewhere

STANDARD_DEVIATION = 0.02  # of the initial weights, as in BERT and GPT-2


class LearnedPositionalEmbedding(nn.Module):
    """A trainable table of positions: positions (L,) or (B, L), integers → (L, dim) or (B, L, dim).

        out[…, l] = weight[positions[…, l] + offset]

    `offset` is added to every position before the look-up, and the table has that many rows more:
    2 in OPT (and BART), whose first two rows belong to padding. The weight has the shape
    (max_length + offset, dim), so that such a checkpoint loads as it is.

    Source: `wpe` of GPT-2 in openai/gpt-2, src/model.py; for the offset,
    `OPTLearnedPositionalEmbedding` in Hugging Face transformers.
    Raises:
        TypeError: a size is not an integer.
        ValueError: max_length or dim is not positive, or offset is negative.
    Example:
        >>> from posenc_ref import LearnedPositionalEmbedding, positions
        >>> LearnedPositionalEmbedding(max_length=8, dim=4)(positions(3, start=5)).shape
        torch.Size([3, 4])
    """

    def __init__(self, max_length: int, dim: int, *, offset: int = 0) -> None:
        """Make a table with rows drawn from N(0, 0.02²)."""
        super().__init__()
        require_integers(max_length=max_length, dim=dim, offset=offset)
        if max_length < 1 or dim < 1 or offset < 0:
            raise ValueError(
                "max_length and dim must be at least 1 and offset at least 0, "
                f"got {max_length}, {dim} and {offset}"
            )
        self.max_length, self.offset = max_length, offset
        self.weight = nn.Parameter(torch.empty(max_length + offset, dim))
        nn.init.normal_(self.weight, std=STANDARD_DEVIATION)

    def forward(self, positions: Tensor) -> Tensor:
        """Return the rows of these positions, in the dtype and on the device of the weight.

        Raises:
            TypeError: positions are not integers (a table has no row 1.5).
            IndexError: a position is negative or not below max_length.
        """
        positions = checked_positions(positions, integral=True)
        require_rows(positions, self.max_length, "position")
        return nn.functional.embedding(positions + self.offset, self.weight)


def require_rows(indices: Tensor, rows: int, name: str) -> None:
    """Raise an IndexError that names the first index outside 0 … rows - 1, if there is one.

    In a compiled graph and under vmap the look-up itself raises, with a shorter message.

    Raises:
        TypeError: the indices are not integers.
        IndexError: one has no row.
    """
    kind = indices.dtype
    if kind == torch.bool or kind.is_floating_point or kind.is_complex:
        raise TypeError(f"each {name} must be an integer, got {kind}")
    inside = (indices >= 0) & (indices < rows)
    if false_somewhere(inside):
        outside = indices[~inside][0].item()
        raise IndexError(f"{name} {outside} is outside a table of length {rows}")
