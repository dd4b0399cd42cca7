"""From one RoPE layout to the other: reorder the channels of queries and keys within each head.

Scores do not care where a pair lies as long as q and k agree, so a checkpoint trained with
neighbours in pairs ("interleaved") runs with pairs half a head apart ("half") once the rows of its
query and key projections are reordered. It is what the Llama conversion script of Hugging Face
transformers does: `w.view(H, D/2, 2, d).transpose(1, 2).reshape(H·D, d)`. Values, and the output
projection, stay. A bias of the projection is reordered like its weight.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.positions import require_tensors
from posenc_ref.scalars import require_integers


def interleaved_to_half(weight: Tensor, heads: int) -> Tensor:
    """Return the rows of a q or k projection (heads·D, …) in half order: 0, 2, 4, …, 1, 3, 5, ….

        out row hD + i = row hD + 2i,   out row hD + D/2 + i = row hD + 2i + 1,   i < D/2

    For channels of activations, hand in their last axis first: `x.T` of (L, D) with heads = 1.

    Source: `permute` in convert_llama_weights_to_hf.py of Hugging Face transformers.
    Raises:
        TypeError: weight is no tensor; heads is no integer.
        ValueError: the rows do not make `heads` heads of even size.
    Example:
        >>> from posenc_ref import interleaved_to_half
        >>> interleaved_to_half(torch.arange(8), heads=2).tolist()
        [0, 2, 1, 3, 4, 6, 5, 7]
    """
    pairs = torch.unflatten(_by_head(weight, heads), 1, (-1, 2))  # (heads, D/2, 2, …)
    return pairs.transpose(1, 2).reshape(weight.shape)


def half_to_interleaved(weight: Tensor, heads: int) -> Tensor:
    """Return the rows of a q or k projection (heads·D, …) in interleaved order: the inverse.

        out row hD + 2i = row hD + i,   out row hD + 2i + 1 = row hD + D/2 + i,   i < D/2

    Source: `permute` in convert_llama_weights_to_hf.py of Hugging Face transformers, backwards.
    Raises:
        TypeError: weight is no tensor; heads is no integer.
        ValueError: the rows do not make `heads` heads of even size.
    Example:
        >>> from posenc_ref import half_to_interleaved
        >>> half_to_interleaved(torch.tensor([0, 2, 1, 3]), heads=1).tolist()
        [0, 1, 2, 3]
    """
    halves = torch.unflatten(_by_head(weight, heads), 1, (2, -1))  # (heads, 2, D/2, …)
    return halves.transpose(1, 2).reshape(weight.shape)


def _by_head(weight: Tensor, heads: int) -> Tensor:
    require_tensors(weight=weight)
    require_integers(heads=heads)
    if weight.dim() < 1 or heads < 1 or weight.shape[0] % (2 * heads):
        raise ValueError(
            f"weight (heads·D, …) with even D does not fit {heads} heads: {tuple(weight.shape)}"
        )
    return torch.unflatten(weight, 0, (heads, -1))  # (heads, D, …)
