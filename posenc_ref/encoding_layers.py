"""An encoding for each layer: RoPE here and none there, a bias in the first layer alone.

An encoding that enters before the first layer, such as an added table, can only be the first one.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from posenc_ref.encoding import Encoding


class LayerEncodings(Encoding):
    """Encodings of the layers 0, 1, …; an object listed twice is shared, with its weights.

        embed (B, L, d) = that of encodings[0];   the other hooks of layer n = those of encodings[n]

    Source: none, plumbing; Yang et al. 2025 for layers with RoPE and layers without.
    Raises:
        TypeError: one is not an Encoding.
        ValueError: the list is empty, or a later encoding has to enter before the first layer.
    Example:
        >>> from posenc_ref import Encoding, LayerEncodings, TinyLM, encoding_by_name
        >>> encodings = LayerEncodings([encoding_by_name("rope", 8, 2), Encoding()])
        >>> model = TinyLM(vocabulary=10, dim=8, heads=2, layers=2, encoding=encodings)
        >>> type(model.encoding.of_layer(1)).__name__
        'Encoding'
    """

    def __init__(self, encodings: Sequence[Encoding]) -> None:
        """Take one encoding for each layer."""
        super().__init__()
        if not encodings:
            raise ValueError("encodings must have one for each layer, got an empty list")
        for layer, encoding in enumerate(encodings):
            if not isinstance(encoding, Encoding):
                raise TypeError(f"encodings[{layer}] must be an Encoding, got {encoding!r}")
            enters_first = type(encoding).embed is not Encoding.embed
            if enters_first and encoding is not encodings[0]:
                name = type(encoding).__name__
                raise ValueError(f"encodings[{layer}], {name}, enters before layer 0: put it first")
        self.layers = nn.ModuleList(encodings)

    def of_layer(self, layer: int) -> Encoding:
        """Return the encoding of that layer."""
        return self.layers[layer]

    def embed(
        self, x: Tensor, positions: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return what the first layer's encoding makes of the word embeddings."""
        return self.layers[0].embed(x, positions, state)
