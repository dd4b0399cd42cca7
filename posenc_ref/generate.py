"""Writing token by token with a cache: the prompt is read once, then one query a step."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.kv_cache import KVCache
from posenc_ref.scalars import require_finite, require_integers
from posenc_ref.tiny_lm import TinyLM


@torch.no_grad()
def generate(
    model: TinyLM,
    tokens: Tensor,
    count: int,
    *,
    visible: Tensor | None = None,
    cache: DecodingCache | None = None,
    keep: Callable[[KVCache], KVCache] | None = None,
    temperature: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Return the tokens (B, count) that the model writes after tokens (B, L).

        temperature 0: argmax(logits);   else a draw from softmax(logits / temperature)

    visible: boolean (B, L), false at padding to the left. cache: of what was read before; extended
    here by all but the last token written. keep: reduces each layer's cache before each step, e.g.
    `lambda layer: evict(layer, sinks=4, window=60)`. The next position is one more than the largest
    in the cache, so renumbered columns move it too.

    Source: none, plumbing; `generate` of Hugging Face transformers, greedy or by sampling.
    Raises:
        TypeError: count is not an integer, temperature is not a number; as the model.
        ValueError: count or temperature is negative, tokens are (B, 0); as the model.
    Example:
        >>> from posenc_ref import TinyLM, generate
        >>> model = TinyLM(vocabulary=10, dim=8, heads=2, layers=1)
        >>> generate(model, torch.tensor([[1, 2, 3]]), count=4).shape
        torch.Size([1, 4])
    """
    require_integers(count=count)
    require_finite(temperature=temperature)
    if count < 0 or temperature < 0:
        both = f"{count} and {temperature}"
        raise ValueError(f"count and temperature must not be negative, got {both}")
    cache = DecodingCache(len(model.blocks)) if cache is None else cache
    last, columns = tokens, [tokens[:, :0]]
    for _ in range(count):
        if keep is not None and cache.layers[0] is not None:
            cache.layers = [keep(layer) for layer in cache.layers]
        logits = model(last, cache=cache, visible=visible)
        if not logits.shape[1]:
            raise ValueError("tokens must have at least one column to go on from, got none")
        last, visible = _choose(logits[:, -1], temperature, generator), None
        columns.append(last)
    return torch.cat(columns, dim=1)


def _choose(logits: Tensor, temperature: float, generator: torch.Generator | None) -> Tensor:
    """Return the next token of each row, (B, vocabulary) → (B, 1)."""
    if temperature == 0:
        return logits.argmax(-1, keepdim=True)
    return torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator)
