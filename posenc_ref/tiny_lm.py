"""A small decoder that takes any encoding by name: the model of the experiments and chapters.

Pre-norm blocks, x + attention(norm(x)), then x + mlp(norm(x)), as in GPT-2; causal by position, no
dropout. The encoding enters by the four hooks of encoding.py and nowhere else, so that two models
differ by their encoding alone.

Without a cache it compiles whole and exports with every encoding but four: "floater", "dynamic_ntk"
and "longrope" read the largest position, a number, and do neither; "recurrent" exports only, as
torch's GRU does.

The cache holds keys *before* their rotation: they are turned when read, by the frequencies of that
moment. That costs a rotation of the cache per step, and makes every scaling right (rotated_cache.py
says what a model for use does instead).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_ref.decoder_block import DecoderBlock
from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.encoding_names import encoding_by_name
from posenc_ref.kv_cache import next_positions
from posenc_ref.learned import require_rows
from posenc_ref.positions import checked_positions, positions_from_mask
from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_tensors


class TinyLM(nn.Module):
    """A decoder of `layers` blocks: tokens (B, L) → logits (B, L, vocabulary).

        x += attention(norm(x));   x += mlp(norm(x));   in every block

    encoding: a name of `encoding_by_name`, with its options. kv_heads: fewer than heads for grouped
    queries. tied: the word embeddings are also the output's weights. `model.encoding` is the
    encoding; a rotary one takes other frequencies by assignment (encoding_rotary.py).

    Source: Radford et al. 2019, §2.3, for the order of the norms; the rest is common practice.
    Raises:
        TypeError: a size is not an integer.
        ValueError: heads do not divide dim, kv_heads not heads, a size is not positive; as
            `encoding_by_name`.
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
        require_integers(vocabulary=vocabulary, dim=dim, layers=layers)
        require_integers(heads=heads, kv_heads=kv_heads)
        if min(vocabulary, dim, layers) < 1:
            sizes = f"{vocabulary}, {dim} and {layers}"
            raise ValueError(f"vocabulary, dim and layers must be positive, got {sizes}")
        if min(heads, kv_heads) < 1 or dim % heads or heads % kv_heads:
            raise ValueError(f"dim {dim}, heads {heads} and kv_heads {kv_heads} do not divide")
        self.encoding = encoding_by_name(encoding, dim, heads, **options)
        self.words = nn.Embedding(vocabulary, dim)
        nn.init.normal_(self.words.weight, std=dim**-0.5)
        self.blocks = nn.ModuleList(DecoderBlock(dim, heads, kv_heads, i) for i in range(layers))
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
            TypeError: one is not a tensor; tokens are not integers, visible is not boolean; cache
                is no DecodingCache.
            IndexError: a token is not in the vocabulary.
            ValueError: the shapes disagree; the cache has other layers or another batch; padding
                comes behind a filled cache without positions; as the encoding.
        """
        _require_inputs(tokens, positions, visible)
        require_rows(tokens, self.words.num_embeddings, "token")
        if cache is not None and not isinstance(cache, DecodingCache):
            raise TypeError(f"cache must be a DecodingCache, got {type(cache).__name__}")
        if cache is not None and len(cache.layers) != len(self.blocks):
            layers = f"{len(cache.layers)} layers, the model {len(self.blocks)}"
            raise ValueError(f"the cache has {layers}")
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


def _next_positions(tokens: Tensor, cache: DecodingCache | None, visible: Tensor | None) -> Tensor:
    batch, length = tokens.shape
    if cache is not None and cache.layers[0] is not None:
        if visible is not None:
            raise ValueError("visible behind a filled cache needs positions")
        return next_positions(cache.layers[0], batch, length)
    if visible is not None:
        return positions_from_mask(visible)
    return torch.arange(length, device=tokens.device)


def _require_inputs(tokens: Tensor, positions: Tensor | None, visible: Tensor | None) -> None:
    require_tensors(tokens=tokens)
    shape = tokens.shape
    if tokens.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"tokens must be int64 or int32, got {tokens.dtype}")
    if len(shape) != 2:
        raise ValueError(f"tokens must be (B, L), got {tuple(shape)}")
    if positions is not None and checked_positions(positions).shape not in (shape, shape[1:]):
        both = f"{tuple(shape)} and {tuple(positions.shape)}"
        raise ValueError(f"tokens (B, L) and positions disagree: {both}")
    if visible is None:
        return
    require_tensors(visible=visible)
    if visible.dtype != torch.bool:
        raise TypeError(f"visible must be boolean, true at tokens, got {visible.dtype}")
    if visible.shape != shape:
        both = f"{tuple(shape)} and {tuple(visible.shape)}"
        raise ValueError(f"tokens (B, L) and visible disagree: {both}")
