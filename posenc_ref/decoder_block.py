"""A block of the small decoder: attention with the hooks of an encoding, then a perceptron.

    x ← x + W_o read(softmax(scores(q, k)), v),   x ← x + mlp(norm(x))

Pre-norm as in GPT-2, causal by position, no dropout; tiny_lm.py stacks these.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from posenc_ref.attention import causal_mask
from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.encoding import Encoding
from posenc_ref.grouped_query import repeat_heads
from posenc_ref.kv_cache import KVCache
from posenc_ref.masks import document_mask


class AttentionRecord(NamedTuple):
    """What a layer's attention computed: scores and weights, each (B, H, Lq, Lk), by head.

        weights = softmax(scores where a query may attend);   scores before the mask

    Source: none, plumbing; `output_attentions` of Hugging Face transformers, for the weights.
    Example:
        >>> from posenc_ref import TinyLM
        >>> model, record = TinyLM(vocabulary=10, dim=8, heads=2, layers=1), []
        >>> _ = model(torch.tensor([[1, 2, 3]]), record=record)
        >>> record[0].weights.shape
        torch.Size([1, 2, 3, 3])
    """

    scores: Tensor
    weights: Tensor


class DecoderBlock(nn.Module):
    """Block number `layer`: x (B, L, d) → (B, L, d), with what earlier tokens left in the cache."""

    def __init__(self, dim: int, heads: int, kv_heads: int, layer: int) -> None:
        """Make the weights as torch draws them."""
        super().__init__()
        self.head_dim, self.layer = dim // heads, layer
        self.norm, self.mlp_norm = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.q = nn.Linear(dim, dim, bias=False)
        self.k = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.v = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(
        self,
        x: Tensor,
        positions: Tensor,
        visible: Tensor | None,
        encoding: Encoding,
        cache: DecodingCache | None,
        record: list[AttentionRecord] | None = None,
        documents: Tensor | None = None,
    ) -> Tensor:
        """Return x plus what attention read, plus the perceptron's output.

        record: a list to which this layer's AttentionRecord is appended.
        """
        inputs = self.norm(x)  # torch.unflatten: the method does not compile in `with device`
        q, k, v = (
            torch.unflatten(f(inputs), -1, (-1, self.head_dim)).transpose(1, 2)
            for f in (self.q, self.k, self.v)
        )  # (B, H, L, D), keys and values (B, Hkv, L, D)
        seen = (encoding.keys(inputs, k), v, positions, visible)
        seen = KVCache(*seen) if cache is None else cache.extend(self.layer, *seen)
        at = (positions, seen.positions)
        mask = causal_mask(*at)  # (Lq, Lk) or (B, Lq, Lk)
        if documents is not None:
            mask = mask & document_mask(documents, documents)
        mask = mask[:, None] if mask.dim() == 3 else mask
        if seen.visible is not None:
            mask = mask & seen.visible[:, None, None, :]
        q, k = encoding.rotate(q, seen.keys, *at)
        k, v = (repeat_heads(t, q.shape[1]) for t in (k, seen.values))
        scores = encoding.scores(q, k, *at, mask)
        scores = scores.to(torch.promote_types(scores.dtype, torch.float32))
        # not -inf: a query of padding, which sees nothing, would be NaN
        weights = torch.where(mask, scores, torch.finfo(scores.dtype).min).softmax(-1)
        if record is not None:
            record.append(AttentionRecord(scores, weights))
        read = encoding.read(weights.to(v.dtype), v, *at)  # (B, H, Lq, D)
        x = x + self.out(read.transpose(1, 2).flatten(2))
        return x + self.mlp(self.mlp_norm(x))
