"""A small decoder that takes any encoding by name: the model of the experiments and chapters.

Pre-norm blocks, x + attention(norm(x)), then x + mlp(norm(x)), as in GPT-2; causal by position, no
dropout. The encoding enters by the four hooks of encoding.py and nowhere else, so that two models
differ by their encoding alone.

The cache holds keys *before* their rotation: they are turned when read, by the frequencies of that
moment. That costs a rotation of the cache per step, and makes every scaling right (rotated_cache.py
says what a model for use does instead).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_ref.attention import causal_mask
from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.encoding import Encoding
from posenc_ref.encoding_names import encoding_by_name
from posenc_ref.grouped_query import repeat_heads
from posenc_ref.kv_cache import KVCache, next_positions
from posenc_ref.positions import positions_from_mask


class TinyLM(nn.Module):
    """A decoder of `layers` blocks: tokens (B, L) → logits (B, L, vocabulary).

    encoding: a name of `encoding_by_name`, with its options. kv_heads: fewer than heads for grouped
    queries. tied: the word embeddings are also the output's weights. `model.encoding` is the
    encoding; a rotary one takes other frequencies by assignment (encoding_rotary.py).

    Source: Radford et al. 2019, §2.3, for the order of the norms; the rest is common practice.
    Raises:
        ValueError: heads do not divide dim, kv_heads not heads; as `encoding_by_name`.
    Example:
        >>> from posenc_ref import TinyLM
        >>> model = TinyLM(vocabulary=10, dim=8, heads=2, layers=1, encoding="alibi")
        >>> model(torch.tensor([[1, 2, 3]])).shape
        torch.Size([1, 3, 10])
    """

    def __init__(
        self,
        vocabulary: int,
        dim: int,
        heads: int,
        layers: int,
        encoding: str = "rope",
        *,
        kv_heads: int | None = None,
        tied: bool = True,
        **options: object,
    ) -> None:
        """Make the weights: words N(0, 1/dim), all others as torch draws them."""
        super().__init__()
        kv_heads = heads if kv_heads is None else kv_heads
        if min(heads, kv_heads) < 1 or dim % heads or heads % kv_heads:
            raise ValueError(f"dim {dim}, heads {heads} and kv_heads {kv_heads} do not divide")
        self.encoding = encoding_by_name(encoding, dim, heads, **options)
        self.words = nn.Embedding(vocabulary, dim)
        nn.init.normal_(self.words.weight, std=dim**-0.5)
        self.blocks = nn.ModuleList(_Block(dim, heads, kv_heads, i) for i in range(layers))
        self.norm = nn.LayerNorm(dim)
        self.output = nn.Linear(dim, vocabulary, bias=False)
        if tied:
            self.output.weight = self.words.weight

    def forward(
        self,
        tokens: Tensor,
        positions: Tensor | None = None,
        cache: DecodingCache | None = None,
        visible: Tensor | None = None,
    ) -> Tensor:
        """Return the logits of what follows each token; a cache is extended by these tokens.

        positions: (L,) or (B, L); by default those after the cache, or else 0, 1, 2, …
        visible: boolean (B, L), false at padding; without positions, it counts them.

        Raises:
            TypeError, ValueError: shapes or dtypes are not those; padding comes behind a filled
                cache without positions; as the encoding.
        """
        for name, given in (("positions", positions), ("visible", visible)):
            shapes = (tokens.shape, tokens.shape[1:] if name == "positions" else tokens.shape)
            if given is not None and given.shape not in shapes:
                both = f"{tuple(tokens.shape)} and {tuple(given.shape)}"
                raise ValueError(f"tokens (B, L) and {name} disagree: {both}")
        if positions is None:
            positions = _next_positions(tokens, cache, visible)
        if cache is not None:
            positions = positions.expand(tokens.shape)  # a cache has positions for each row
        state = None if cache is None else cache.state
        x, state = self.encoding.embed(self.words(tokens), positions, state)
        if cache is not None:
            cache.state = state
        for block in self.blocks:
            x = block(x, positions, visible, self.encoding, cache)
        return self.output(self.norm(x))


class _Block(nn.Module):
    def __init__(self, dim: int, heads: int, kv_heads: int, layer: int) -> None:
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
    ) -> Tensor:
        inputs = self.norm(x)
        q, k, v = (
            f(inputs).unflatten(-1, (-1, self.head_dim)).transpose(1, 2)
            for f in (self.q, self.k, self.v)
        )  # (B, H, L, D), keys and values (B, Hkv, L, D)
        seen = (k, v, positions, visible)
        seen = KVCache(*seen) if cache is None else cache.extend(self.layer, *seen)
        at = (positions, seen.positions)
        mask = causal_mask(*at)  # (Lq, Lk) or (B, Lq, Lk)
        mask = mask[:, None] if mask.dim() == 3 else mask
        if seen.visible is not None:
            mask = mask & seen.visible[:, None, None, :]
        q, k = encoding.rotate(q, seen.keys, *at)
        k, v = (repeat_heads(t, q.shape[1]) for t in (k, seen.values))
        scores = encoding.scores(q, k, *at, mask)
        scores = scores.to(torch.promote_types(scores.dtype, torch.float32))
        # not -inf: a query of padding, which sees nothing, would be NaN
        weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
        read = encoding.read(weights.to(v.dtype), v, *at)  # (B, H, Lq, D)
        x = x + self.out(read.transpose(1, 2).flatten(2))
        return x + self.mlp(self.mlp_norm(x))


def _next_positions(tokens: Tensor, cache: DecodingCache | None, visible: Tensor | None) -> Tensor:
    batch, length = tokens.shape
    if cache is not None and cache.layers[0] is not None:
        if visible is not None:
            raise ValueError("visible behind a filled cache needs positions")
        return next_positions(cache.layers[0], batch, length)
    if visible is not None:
        return positions_from_mask(visible)
    return torch.arange(length, device=tokens.device)
