"""The KV cache: keys and values of the tokens so far, so that a step computes one query only.

A cache remembers *positions* beside keys and values, because a length is not enough: with left
padding the new token of a row stands at its number of words, not at the number of columns; after
eviction the columns are fewer than the words. The position of the next token is one more than the
largest *visible*, row by row (`next_positions`).

Causality is `causal_mask(q_positions, cache.positions)`; `visible` masks padding. Biases take the
same two sets of positions, so ALiBi's and T5's decode row is the last row of the full bias.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from posenc_ref.attention import attention, causal_mask
from posenc_ref.grouped_query import repeat_heads
from posenc_ref.masks import document_mask, require_documents
from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_tensors

AXES = (-2, -2, -1, -1)  # that of the length, in each part of a cache


class KVCache(NamedTuple):
    """Keys and values (B, Hkv, L, D), positions (B, L), visible (B, L): false at padding.

        column c of row b = keys[b, :, c], values[b, :, c] of the token at positions[b, c]

    Source: none, plumbing of `append` and `attend`.
    Example:
        >>> from posenc_ref import KVCache
        >>> KVCache._fields
        ('keys', 'values', 'positions', 'visible')
    """

    keys: Tensor
    values: Tensor
    positions: Tensor
    visible: Tensor


def append(
    cache: KVCache | None,
    keys: Tensor,
    values: Tensor,
    positions: Tensor,
    visible: Tensor | None = None,
) -> KVCache:
    """Return the cache with these tokens appended; None starts a new one.

        [cache | new] along L:   (B, Hkv, n, D), (B, Hkv, L, D) → (B, Hkv, n + L, D)

    keys (B, Hkv, L, D), values (B, Hkv, L, Dv), positions (L,) or (B, L); visible (B, L), all true
    by default. The given cache is not changed.

    Source: none, plumbing; the contract of `DynamicCache` in Hugging Face transformers.
    Raises:
        TypeError: cache is not a KVCache; one is not a tensor; positions are not integers, visible
            is not boolean; a dtype is not the cache's.
        ValueError: shapes disagree, with each other or with the cache.
    Example:
        >>> from posenc_ref import append, positions
        >>> cache = append(None, torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 4), positions(3))
        >>> append(cache, *torch.ones(2, 1, 2, 1, 4), positions(1, start=3)).positions.tolist()
        [[0, 1, 2, 3]]
    """
    require_tensors(keys=keys, values=values)
    positions = checked_positions(positions, integral=True)
    batch, _, length, _ = keys.shape if keys.dim() == 4 else (0, 0, 0, 0)
    fits = keys.dim() == values.dim() == 4 and keys.shape[:3] == values.shape[:3]
    if not fits or tuple(positions.shape) not in ((length,), (batch, length)):
        shapes = f"{tuple(keys.shape)}, {tuple(values.shape)} and {tuple(positions.shape)}"
        raise ValueError(
            f"keys, values (B, H, L, D) and positions (L,) or (B, L) disagree: {shapes}"
        )
    positions = positions.expand(batch, length)
    if visible is None:
        visible = torch.ones_like(positions, dtype=torch.bool)
    require_tensors(visible=visible)
    if visible.dtype != torch.bool:
        raise TypeError(f"visible must be boolean, true at tokens, got {visible.dtype}")
    if visible.shape != positions.shape:
        raise ValueError(f"visible must be (B, L) = {(batch, length)}, got {tuple(visible.shape)}")
    new = KVCache(keys, values, positions, visible)
    if cache is None:
        return new
    require_cache(cache)
    _require_alike(cache, new)
    pairs = zip(cache, new, AXES, strict=True)
    return KVCache(*(torch.cat((old, more), axis) for old, more, axis in pairs))


def next_positions(
    cache: KVCache | None,
    batch: int,
    count: int = 1,
    *,
    device: torch.device | str | None = None,
) -> Tensor:
    """Return the positions of the next `count` tokens of each row, (B, count).

        p_b + 1 … p_b + count,   p_b = max of the visible positions[b], -1 if there is none

    On the device of the cache; without a cache, on `device`.

    Source: `generate` of Hugging Face transformers, which counts words, not columns.
    Raises:
        TypeError: count or batch is not an integer; cache is not a KVCache.
        ValueError: count is not positive, batch is negative or not the cache's.
    Example:
        >>> from posenc_ref import KVCache, next_positions
        >>> at, seen = torch.tensor([[0, 0, 1], [0, 1, 2]]), torch.tensor([[False, True, True]] * 2)
        >>> next_positions(KVCache(None, None, at, seen), batch=2).tolist()
        [[2], [3]]
    """
    require_integers(batch=batch, count=count)
    if cache is not None:
        require_columns(cache)
    if count < 1 or batch < 0 or (cache is not None and len(cache.positions) != batch):
        have = "none" if cache is None else len(cache.positions)
        raise ValueError(
            f"count must be positive, batch that of the cache ({have}), got {count}, {batch}"
        )
    if cache is not None:
        device = cache.positions.device
    if cache is None or not cache.positions.shape[-1]:
        return torch.arange(count, device=device).expand(batch, count)
    largest = cache.positions.masked_fill(~cache.visible, -1).amax(-1, keepdim=True)  # (B, 1)
    return largest + torch.arange(1, count + 1, device=device)


def attend(
    q: Tensor,
    q_positions: Tensor,
    cache: KVCache,
    bias: Tensor | None = None,
    documents: Tensor | None = None,
) -> Tensor:
    """Return causal attention of q (B, H, Lq, D) over the cache, (B, H, Lq, Dv).

        softmax_j(q_i·k_j / √D + bias_ij) v_j   over visible j with p_j ≤ p_i, of one document

    q_positions: (B, Lq). With fewer key heads than query heads, each serves a group of queries.
    bias: as `attention` takes it, e.g. a decode row of ALiBi or T5.
    documents: (L,) or (B, L), integers, the document of each column of the cache, the last Lq of
    which are the queries'. By default all columns are one document: packed documents, each starting
    at position 0, would then read each other, later ones too.

    Source: Vaswani et al. 2017, §3.2.1, with the mask by position.
    Raises:
        TypeError: as `attention`; cache is not a KVCache, documents are not integers.
        ValueError: as `attention` and `repeat_heads`; the parts of the cache disagree, or documents
            with them.
    Example:
        >>> from posenc_ref import append, attend, positions
        >>> cache = append(None, torch.zeros(1, 1, 2, 4), torch.ones(1, 1, 2, 4), positions(2))
        >>> attend(torch.zeros(1, 1, 1, 4), torch.tensor([[1]]), cache).flatten().tolist()
        [1.0, 1.0, 1.0, 1.0]
    """
    require_cache(cache)
    require_tensors(q=q)
    if q.dim() != 4:
        raise ValueError(f"q must be (B, H, Lq, D), got {tuple(q.shape)}")
    seen = causal_mask(q_positions, cache.positions) & cache.visible[:, None]  # (B, Lq, Lk)
    if documents is not None:
        seen = seen & _same_document(documents, cache, q.shape[2])
    k, v = (repeat_heads(x, q.shape[1]) for x in (cache.keys, cache.values))
    return attention(q, k, v, seen[:, None], bias)


def require_columns(cache: KVCache) -> None:
    """Raise an error unless it is a cache whose positions and visible have the same columns.

    Raises:
        TypeError: not a KVCache; one of the two is not a tensor; visible is not boolean.
        ValueError: they are not both (B, L).
    """
    if not isinstance(cache, KVCache):
        raise TypeError(f"cache must be a KVCache, got {type(cache).__name__}")
    at, visible = cache.positions, cache.visible
    require_tensors(positions=at, visible=visible)
    if visible.dtype != torch.bool:
        raise TypeError(f"visible must be boolean, true at tokens, got {visible.dtype}")
    if at.dim() != 2 or at.shape != visible.shape:
        shapes = f"{tuple(at.shape)} and {tuple(visible.shape)}"
        raise ValueError(f"positions and visible of a cache must be (B, L): {shapes}")


def require_cache(cache: KVCache) -> None:
    """Raise an error that names what does not fit in a cache that was put together from tensors.

    Raises:
        TypeError: not a KVCache; a part is not a tensor; visible is not boolean.
        ValueError: the parts disagree.
    """
    require_columns(cache)
    keys, values, at, _ = cache
    require_tensors(keys=keys, values=values)
    fits = keys.dim() == values.dim() == 4 and keys.shape[:3] == values.shape[:3]
    if not fits or (keys.shape[0], keys.shape[2]) != tuple(at.shape):
        shapes = ", ".join(str(tuple(part.shape)) for part in cache)
        raise ValueError(f"the parts of the cache disagree: {shapes}")


def _same_document(documents: Tensor, cache: KVCache, queries: int) -> Tensor:
    """Return the document mask (B, Lq, Lk) of the cache's last columns, the queries', over all."""
    require_documents(documents)
    shape = tuple(cache.positions.shape)
    if tuple(documents.shape) not in (shape, shape[1:]) or queries > shape[1]:
        both = f"{tuple(documents.shape)} and {shape}, {queries} queries"
        raise ValueError(f"documents (L,) or (B, L) and the cache's columns disagree: {both}")
    documents = documents.expand(shape)
    return document_mask(documents[:, shape[1] - queries :], documents)


def _require_alike(cache: KVCache, new: KVCache) -> None:
    """Raise if `new` differs from the cache in more than its length."""
    for name, old, more, axis in zip(KVCache._fields, cache, new, AXES, strict=True):
        if old.dtype != more.dtype:
            raise TypeError(f"{name} are {more.dtype}, those of the cache {old.dtype}")
        old_shape, new_shape = list(old.shape), list(more.shape)
        del old_shape[axis], new_shape[axis]
        if old_shape != new_shape:
            shapes = f"{tuple(more.shape)} behind {tuple(old.shape)}"
            raise ValueError(f"{name} do not fit the cache: {shapes}")
