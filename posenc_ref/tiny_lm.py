"""A small decoder that takes any encoding by name: the model of the experiments and chapters.

Pre-norm blocks, x + attention(norm(x)), then x + mlp(norm(x)), as in GPT-2; causal by position, no
dropout. The encoding enters by the five hooks of encoding.py and nowhere else, so that two models
differ only in their encoding. `record` shows what attention did; ablation.py removes parts.

Without a cache it compiles whole and exports with every encoding but four: "floater", "dynamic_ntk"
and "longrope" read the largest position, a number, and do neither; "recurrent" exports only, as
torch's GRU does.

The cache holds keys *before* their rotation: they are turned when read, by the present frequencies.
That costs a rotation of the cache per step, and makes every scaling right (rotated_cache.py says
what models in production do instead).
"""

from __future__ import annotations

from torch import Tensor, nn

from posenc_ref.decoder_block import AttentionRecord, DecoderBlock
from posenc_ref.decoder_input import decoder_positions, require_decoder_input, require_packed
from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.encoding import Encoding
from posenc_ref.encoding_layers import LayerEncodings
from posenc_ref.encoding_names import encoding_by_name
from posenc_ref.learned import require_rows
from posenc_ref.scalars import require_integers


class TinyLM(nn.Module):
    """A decoder of `layers` blocks: tokens (B, L) → logits (B, L, vocabulary).

        x += attention(norm(x));   x += mlp(norm(x));   in every block

    encoding: a name of `encoding_by_name`, with its options, or an Encoding: one that all layers
    share, or LayerEncodings. kv_heads: fewer than heads for grouped queries. tied: the word
    embeddings are also the output's weights. `model.encoding` is the encoding; a rotary one takes
    other frequencies by assignment (encoding_rotary.py).

    Source: Radford et al. 2019, §2.3, for the order of the norms; the rest is common practice.
    Raises:
        TypeError: a size is not an integer; an Encoding comes with options.
        ValueError: heads do not divide dim, kv_heads not heads, a size is not positive; the
            encodings are not one for each layer; as `encoding_by_name`.
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
        encoding: str | Encoding = "rope",
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
        if isinstance(encoding, Encoding):
            _require_alone(encoding, layers, options)
            self.encoding = encoding
        else:
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
        record: list[AttentionRecord] | None = None,
        documents: Tensor | None = None,
    ) -> Tensor:
        """Return the logits of the token after each one; a cache is extended by these tokens.

        positions: (L,), (1, L) or (B, L); by default those after the cache, or else 0, 1, 2, …
        visible: boolean (B, L), false at padding; without positions, it counts them.
        record: a list that each layer appends its scores and weights to.
        documents: (L,) or (B, L), integers: tokens packed into a row see only their own document,
            and without positions start again at 0 in each. An encoding that scales by the largest
            position ("dynamic_ntk", "longrope") takes that of the whole row.

        Raises:
            TypeError: one is not a tensor; tokens are not integers, visible is not boolean; cache
                is not a DecodingCache.
            IndexError: a token is not in the vocabulary.
            ValueError: the shapes disagree; the cache has other layers or another batch; padding
                comes behind a filled cache without positions; documents come with a cache, or with
                a recurrent encoding, which reads across them; as the encoding.
        """
        require_decoder_input(tokens, positions, visible)
        require_rows(tokens, self.words.num_embeddings, "token")
        if documents is not None:
            require_packed(tokens, cache, documents)
        if cache is not None and not isinstance(cache, DecodingCache):
            raise TypeError(f"cache must be a DecodingCache, got {type(cache).__name__}")
        if cache is not None and len(cache.layers) != len(self.blocks):
            layers = f"{len(cache.layers)} layers, the model {len(self.blocks)}"
            raise ValueError(f"the cache has {layers}")
        positions = decoder_positions(tokens, positions, cache, visible, documents)
        if cache is not None:
            positions = positions.expand(tokens.shape)  # a cache has positions for each row
        state = None if cache is None else cache.state
        x, state = self.encoding.embed(self.words(tokens), positions, state)
        if cache is not None:
            cache.state = state
        if documents is not None and state is not None:
            raise ValueError(f"{type(self.encoding).__name__} reads across packed documents")
        for block in self.blocks:
            encoding = self.encoding.of_layer(block.layer)
            x = block(x, positions, visible, encoding, cache, record, documents)
        return self.output(self.norm(x))


def _require_alone(encoding: Encoding, layers: int, options: dict[str, object]) -> None:
    if options:
        raise TypeError(f"an Encoding has its options already, got {', '.join(options)}")
    if isinstance(encoding, LayerEncodings) and len(encoding.layers) != layers:
        raise ValueError(f"{len(encoding.layers)} encodings do not fit {layers} layers")
