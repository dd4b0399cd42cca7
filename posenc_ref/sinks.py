"""Attention sinks, Xiao et al. 2024 (StreamingLLM): keep the first few tokens and a window.

Softmax has to put its weight somewhere, and trained models put it on the first tokens. A window
that drops them breaks the model (their Table 1: perplexity 5158 with a window alone, 5.40 with four
sinks); keeping them costs nothing. The kept tokens are then numbered 0 … n - 1 *in the cache*, so
that no distance is longer than training showed.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.kv_cache import KVCache


def sink_indices(
    length: int, *, sinks: int, window: int, device: torch.device | str | None = None
) -> Tensor:
    """Return which of `length` columns stay, (n,): the first `sinks` and the last `window`.

        c with c < sinks or c ≥ length - window,   c = 0 … length - 1

    Source: Xiao et al. 2024, §3.2, Figure 4.
    Raises:
        ValueError: a number is negative, or nothing would stay.
    Example:
        >>> from posenc_ref import sink_indices
        >>> sink_indices(10, sinks=2, window=3).tolist()
        [0, 1, 7, 8, 9]
    """
    if min(length, sinks, window) < 0 or sinks + window < 1:
        raise ValueError(f"sinks and window must keep something, got {sinks} and {window}")
    column = torch.arange(length, device=device)
    return column[(column < sinks) | (column >= length - window)]


def evict(cache: KVCache, *, sinks: int, window: int) -> KVCache:
    """Return the cache with sinks and window alone; stored keys and their positions are unchanged.

        keys (B, Hkv, L, D) → keys[:, :, kept], (B, Hkv, n, D);   kept = `sink_indices`

    Source: Xiao et al. 2024, §3.2.
    Raises:
        ValueError: as `sink_indices`.
    Example:
        >>> from posenc_ref import append, evict, positions
        >>> cache = append(None, *torch.zeros(2, 1, 1, 6, 4), positions(6))
        >>> evict(cache, sinks=1, window=2).positions.tolist()
        [[0, 4, 5]]
    """
    kept = sink_indices(
        cache.positions.shape[-1], sinks=sinks, window=window, device=cache.positions.device
    )
    axes = (-2, -2, -1, -1)
    return KVCache(*(x.index_select(axis, kept) for x, axis in zip(cache, axes, strict=True)))


def cache_positions(cache: KVCache) -> Tensor:
    """Return 0 … n - 1 for the columns of each row, (B, n): where kept tokens stand for attention.

        p[b, c] = max(0, Σ_{t≤c} visible[b, t] - 1)

    For a rotated cache, `shift_keys(cache.keys, cache.positions, cache_positions(cache), …)`; the
    query then stands at n - 1 if its own key is the last column. Padding is skipped.

    Source: Xiao et al. 2024, §3.2: positions within the cache, not in the text.
    Raises:
        TypeError, ValueError: as `positions_from_mask`.
    Example:
        >>> from posenc_ref import append, cache_positions, evict, positions
        >>> cache = append(None, *torch.zeros(2, 1, 1, 6, 4), positions(6))
        >>> cache_positions(evict(cache, sinks=1, window=2)).tolist()
        [[0, 1, 2]]
    """
    return (cache.visible.long().cumsum(-1) - 1).clamp(min=0)
