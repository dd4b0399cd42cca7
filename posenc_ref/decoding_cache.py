"""What a decoder of several layers keeps between steps, filled by the model as it reads."""

from __future__ import annotations

from torch import Tensor

from posenc_ref.kv_cache import KVCache, append
from posenc_ref.scalars import require_integers


class DecodingCache:
    """What a decoder keeps between steps: a KVCache for each layer, and the encoding's state.

        layers[n] = KVCache(keys (B, Hkv, L, D), values (B, Hkv, L, D), …) or None,   n = 0 … N - 1

    Source: none, plumbing; `DynamicCache` in Hugging Face transformers.
    Raises:
        TypeError: layers is not an integer.
        ValueError: layers is not positive.
    Example:
        >>> from posenc_ref import DecodingCache, TinyLM
        >>> model, cache = TinyLM(vocabulary=10, dim=8, heads=2, layers=1), DecodingCache(layers=1)
        >>> _ = model(torch.tensor([[1, 2, 3]]), cache=cache)
        >>> _ = model(torch.tensor([[4]]), cache=cache)
        >>> cache.layers[0].positions.tolist()
        [[0, 1, 2, 3]]
    """

    def __init__(self, layers: int) -> None:
        """Begin empty."""
        require_integers(layers=layers)
        if layers < 1:
            raise ValueError(f"layers must be positive, got {layers}")
        self.layers: list[KVCache | None] = [None] * layers
        self.state: Tensor | None = None

    def extend(self, layer: int, *new: Tensor | None) -> KVCache:
        """Append keys, values, positions, visible to that layer and return all it has now."""
        extended = append(self.layers[layer], *new)
        self.layers[layer] = extended
        return extended
