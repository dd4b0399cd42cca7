"""Attention sinks, Xiao et al. 2024 (StreamingLLM): keep the first few tokens and a window.

Softmax has to put its weight somewhere, and trained models put it on the first tokens. A window
that drops them breaks the model (their Table 1: perplexity 5158 with a window alone, 5.40 with four
sinks); keeping them costs nothing. The kept tokens are then numbered 0 … n - 1 *in the cache*, so
that no distance is longer than training showed.

Tokens are counted, not columns: of a row with padding its own first words are the sinks, as if it
were alone. (The authors' code counts columns, for rows without padding.)
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.kv_cache import KVCache, require_cache, require_columns
from posenc_ref.scalars import require_integers


def sink_indices(
    length: int, *, sinks: int, window: int, device: torch.device | str | None = None
) -> Tensor:
    """Return which of `length` tokens stay, (n,): the first `sinks` and the last `window`.

        t with t < sinks or t ≥ length - window,   t = 0 … length - 1

    Source: Xiao et al. 2024, §3.2, Figure 4.
    Raises:
        TypeError: a number is not an integer.
        ValueError: a number is negative, or nothing would stay.
    Example:
        >>> from posenc_ref import sink_indices
        >>> sink_indices(10, sinks=2, window=3).tolist()
        [0, 1, 7, 8, 9]
    """
    require_integers(length=length)
    if length < 0:
        raise ValueError(f"length must be at least 0, got {length}")
    _require_some(sinks, window)
    token = torch.arange(length, device=device)
    return token[(token < sinks) | (token >= length - window)]


def evict(cache: KVCache, *, sinks: int, window: int) -> KVCache:
    """Return the cache with sinks and window alone; stored keys and their positions are unchanged.

        keys (B, Hkv, L, D) → (B, Hkv, n, D),   n = min(L, sinks + window)
        visible token t of T in its row stays if t < sinks or t ≥ T - window

    A row with fewer visible tokens than n keeps them all, and padding, invisible, in the columns
    that are left.

    Source: Xiao et al. 2024, §3.2.
    Raises:
        TypeError: sinks or window is not an integer; cache is not a KVCache.
        ValueError: sinks or window is negative, or nothing would stay; the parts of the cache
            disagree.
    Example:
        >>> from posenc_ref import append, evict, positions
        >>> cache = append(None, *torch.zeros(2, 1, 1, 6, 4), positions(6))
        >>> evict(cache, sinks=1, window=2).positions.tolist()
        [[0, 4, 5]]
    """
    _require_some(sinks, window)
    require_cache(cache)
    token = cache.visible.long().cumsum(-1) - 1  # (B, L): the number of the token in its row
    last = token[:, -1:] - window
    stays = cache.visible & ((token < sinks) | (token > last))
    # kept columns first, then padding: of a row that drops a token exactly n are kept
    first = stays.long().argsort(dim=-1, descending=True, stable=True)
    columns = first[:, : sinks + window].sort(dim=-1).values  # (B, n), in the order of time
    wide = columns[:, None, :, None]
    # not take_along_dim, which fixes the length of a compiled graph
    keys, values = (x.gather(-2, wide.expand(*x.shape[:2], -1, x.shape[-1])) for x in cache[:2])
    return KVCache(keys, values, *(x.gather(-1, columns) for x in cache[2:]))


def cache_positions(cache: KVCache) -> Tensor:
    """Return 0 … n - 1 for the columns of each row, (B, n): where kept tokens stand for attention.

        p[b, c] = max(0, Σ_{t≤c} visible[b, t] - 1)

    For a rotated cache, `shift_keys(cache.keys, cache.positions, cache_positions(cache), …)`; a
    query whose own key is the last column stands where that does. Padding is skipped.

    Source: Xiao et al. 2024, §3.2: positions within the cache, not in the text.
    Raises:
        TypeError: cache is not a KVCache, or what is visible in it is not boolean.
        ValueError: its positions and what is visible are not both (B, L).
    Example:
        >>> from posenc_ref import append, cache_positions, evict, positions
        >>> cache = append(None, *torch.zeros(2, 1, 1, 6, 4), positions(6))
        >>> cache_positions(evict(cache, sinks=1, window=2)).tolist()
        [[0, 1, 2]]
    """
    require_columns(cache)
    return (cache.visible.long().cumsum(-1) - 1).clamp(min=0)


def _require_some(sinks: int, window: int) -> None:
    require_integers(sinks=sinks, window=window)
    if min(sinks, window) < 0 or sinks + window < 1:
        raise ValueError(f"sinks and window must keep something, got {sinks} and {window}")
