"""The five places where position can enter a Transformer, as five hooks; tiny_lm.py calls them.

    x = embed(x, positions)                   before the first layer: absolute encodings
    k = keys(x, k)                            in every layer: what a key says of its token
    q, k = rotate(q, k, positions)            in every layer: RoPE and its kin
    scores = scores(q, k, positions, mask)    what softmax takes: biases and score methods
    out = read(weights, values, positions)    behind softmax: Shaw's second table

An encoding overrides the hooks it needs; `Encoding` itself overrides none and is NoPE: a decoder
without any encoding, where only the causal mask tells positions apart (Haviv et al. 2022;
Kazemnejad et al. 2023). All layers share one encoding, as in T5, ALiBi and RoPE; they also share
Shaw's tables and Transformer-XL's projections, which the papers make for each layer.
encoding_layers.py has one encoding for each.

`keys` sees the tokens themselves, so that content can decide what position means (forgetting.py).
`rotate` gets un-rotated keys, also from the cache, so it may turn them by any frequencies.
"""

from __future__ import annotations

from torch import Tensor, nn

from posenc_ref.score_inputs import require_read, require_scores


class Encoding(nn.Module):
    """No encoding, and the base of all others: each hook does what plain attention does.

        softmax(q kᵀ/√D + mask) v

    q (B, H, Lq, D), keys and values (B, H, Lk, D), positions (L,) or (B, L), alike on both sides.

    Source: none, plumbing; Kazemnejad et al. 2023 for training without an encoding.
    Raises:
        TypeError, ValueError: as `scores` and `read` say.
    Example:
        >>> from posenc_ref import Encoding, positions
        >>> q, at = torch.ones(1, 1, 2, 4), positions(2)
        >>> Encoding().scores(q, q, at, at).tolist()
        [[[[2.0, 2.0], [2.0, 2.0]]]]
    """

    def of_layer(self, layer: int) -> Encoding:
        """Return the encoding of that layer, 0 the first: this one, which all layers share."""
        return self

    def embed(
        self, x: Tensor, positions: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the input of the first layer from word embeddings x (B, L, d), and a state.

        The state is what a recurrent encoding passes on to the next tokens; None for all others.
        """
        return x, None

    def keys(self, x: Tensor, k: Tensor) -> Tensor:
        """Return keys (B, Hkv, L, D or more) as the cache keeps them, from the layer's x.

        Channels behind the D of k are the encoding's own; its `scores` read them.
        """
        return k

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys as their scores need them; k may have fewer heads than q."""
        return q, k

    def scores(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the scaled scores (B, H, Lq, Lk).

        The caller masks the scores; CoPE needs the mask too.

        Raises:
            TypeError: q and k are not of one float dtype; as `checked_positions`.
            ValueError: heads, lengths or positions disagree. Nothing broadcasts silently.
        """
        require_scores(q, k, q_positions, k_positions)
        return (q * q.shape[-1] ** -0.5) @ k.mT  # q is smaller than the scores

    def read(
        self, weights: Tensor, values: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor:
        """Return what each query reads, (B, H, Lq, D), with weights (B, H, Lq, Lk).

        Raises:
            TypeError: weights and values are not of one float dtype; as `checked_positions`.
            ValueError: heads, lengths or positions disagree. Nothing broadcasts silently.
        """
        require_read(weights, values, q_positions, k_positions)
        return weights @ values
