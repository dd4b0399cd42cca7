"""What a decoder of several layers keeps between steps, filled by the model as it reads."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.kv_cache import AXES, KVCache, append
from posenc_ref.learned import require_rows
from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_tensors

STATE_ROWS = 1  # of a recurrent encoding's state (1, B, d)


class DecodingCache:
    """What a decoder keeps between steps: a KVCache for each layer, and the encoding's state.

        layers[n] = KVCache(keys (B, Hkv, L, D), values (B, Hkv, L, D), …) or None,   n = 0 … N - 1

    To keep less, replace the layers: `cache.layers = [evict(layer, sinks=4, window=60) for layer in
    cache.layers]`.

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

    def crop(self, length: int) -> None:
        """Keep the first `length` columns of every layer, and undo what was read after them.

        Raises:
            TypeError: length is not an integer.
            ValueError: length is negative or beyond what the cache has; a recurrent encoding's
                state cannot be undone.
        """
        require_integers(length=length)
        if self.state is not None:
            raise ValueError("a recurrent encoding keeps its last state alone: nothing to crop to")
        have = min(0 if layer is None else layer.keys.shape[-2] for layer in self.layers)
        if not 0 <= length <= have:  # before any layer is cut
            raise ValueError(f"length must be 0 … {have}, what the cache has, got {length}")
        for number, layer in enumerate(self.layers):
            if layer is not None:
                cut = (part.narrow(axis, 0, length) for part, axis in zip(layer, AXES, strict=True))
                self.layers[number] = KVCache(*cut)

    def reorder(self, rows: Tensor) -> None:
        """Make row n what row rows[n] was, (B',) integers: beams, or one prompt for many answers.

        Raises:
            TypeError: rows is not a tensor of integers.
            ValueError: rows is not (B',).
            IndexError: a row is not in the cache.
        """
        require_tensors(rows=rows)
        if rows.dtype not in (torch.int32, torch.int64):
            raise TypeError(f"rows must be int64 or int32, got {rows.dtype}")
        if rows.dim() != 1:
            raise ValueError(f"rows must be (B',), got {tuple(rows.shape)}")
        for number, layer in enumerate(self.layers):
            if layer is not None:
                require_rows(rows, len(layer.keys), "row")
                self.layers[number] = KVCache(*(part.index_select(0, rows) for part in layer))
        if self.state is not None:
            self.state = self.state.index_select(STATE_ROWS, rows)
