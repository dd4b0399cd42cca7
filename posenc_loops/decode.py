"""The two ends of attention with one query: q kᵀ, and the values by their weights, far ones unread.

A decode step reads every key and every value, and its time goes into reading. But what a bias that
falls with distance leaves of a far key's weight is often nothing: exp(-104) is zero in float32. The
loops do not read that value. Nor do they compute with weights below the smallest normal number,
1e-38 in float32, with which a CPU is slow: they would add 1e-38 of a value.

Heads are dealt out in turn, since those that leave much unread are neighbours.
"""

from __future__ import annotations

import numpy as np
import torch
from numba import carray, njit
from torch import Tensor

from posenc_loops.memory import FORMATS, dense, pointer, unwatched
from posenc_loops.threads import Loop, lent, threads

# than torch's attention, measured with ALiBi
QUICKER = tuple(dtype for dtype in (torch.float32, torch.float16) if dtype in FORMATS)
BLOCK = 256  # values summed before their sum is added to the others: roundings do not add up


def can_attend(q: Tensor, *others: Tensor) -> bool:
    """Tell whether loops may work on the memory of these, as they are, and are quicker."""
    plain = (dense(x) and x.data_ptr() and x.stride()[-1] == 1 for x in (q, *others))
    return q.dtype in QUICKER and lent() and unwatched() and all(plain)


def products(q: Tensor, k: Tensor, computed: torch.dtype) -> Tensor:
    """Return q kᵀ, (B, H, 1, L) in the dtype q is computed in: q (B, H, 1, D), k (B, H, L, D)."""
    batch, heads, length, dim = k.shape
    scores = q.new_empty((batch, heads, 1, length), dtype=computed)
    PRODUCTS[q.dtype].together(
        *(q.data_ptr(), *q.stride()[:2], k.data_ptr(), *k.stride()[:3]),
        *(scores.data_ptr(), batch * heads, heads, length, dim),
    )
    return scores


def weighted_sum(weights: Tensor, v: Tensor) -> Tensor:
    """Return weights v, (B, H, 1, D): weights (B, H, 1, L), contiguous, v (B, H, L, D)."""
    batch, heads, length, dim = v.shape
    found = v.new_empty((batch, heads, 1, dim))
    # what each thread takes down; made here, where a lack of memory raises
    sums = weights.new_empty((threads(), 2, dim))
    near = weights.new_empty((threads(), length), dtype=torch.int64)
    SUMS[v.dtype].together(
        *(weights.data_ptr(), v.data_ptr(), *v.stride()[:3], sums.data_ptr(), near.data_ptr()),
        *(found.data_ptr(), batch * heads, heads, length, dim),
    )
    return found


def _products(dtype: torch.dtype) -> Loop:
    """Return the loop over all heads.

    q, k and scores are addresses; qb, qh, kb, kh and kl the steps from a batch entry, a head or a
    token to the next.
    """
    memory, computed, read, _ = FORMATS[dtype]
    wide, deep, number = memory.itemsize, computed.itemsize, computed.type

    @njit(fastmath={"reassoc", "contract", "nsz"})  # in any order: several products at once
    def dot(a, b):
        total = number(0)
        for c in range(a.size):
            total += read(a[c]) * read(b[c])
        return total

    @njit(nogil=True)
    def part(thread, count, q, qb, qh, k, kb, kh, kl, scores, every, heads, length, dim):
        for i in range(thread, every, count):
            b, h = i // heads, i % heads
            query = carray(pointer(q + (b * qb + h * qh) * wide), dim, memory)
            found = carray(pointer(scores + i * length * deep), length, computed)
            for j in range(length):
                key = carray(pointer(k + (b * kb + h * kh + j * kl) * wide), dim, memory)
                found[j] = dot(query, key)

    return Loop(part)


def _sums(dtype: torch.dtype) -> Loop:
    """Return the loop over all heads.

    weights, v and found are addresses; vb, vh and vl the steps in v from a batch entry, a head or a
    token to the next.
    """
    memory, computed, read, write = FORMATS[dtype]
    wide, deep, least = memory.itemsize, computed.itemsize, np.finfo(computed).tiny

    @njit
    def value(address, dim):
        return carray(pointer(address), dim, memory)

    @njit(nogil=True)
    def add_up(total, weight, near, values, step):
        """Write the sum of the values of the tokens in `near`, by their weights."""
        total[:] = 0
        n, whole = total.size, near.size // 4 * 4
        for i in range(0, whole, 4):  # four at a time, for which total is read and written once
            j, k, m, o = near[i], near[i + 1], near[i + 2], near[i + 3]
            w, x, y, z = weight[j], weight[k], weight[m], weight[o]
            a, b = value(values + j * step, n), value(values + k * step, n)
            d, e = value(values + m * step, n), value(values + o * step, n)
            for c in range(n):
                total[c] += w * read(a[c]) + x * read(b[c]) + y * read(d[c]) + z * read(e[c])
        for j in near[whole:]:
            a = value(values + j * step, n)
            for c in range(n):
                total[c] += weight[j] * read(a[c])

    @njit(nogil=True)
    def part(thread, count, weights, v, vb, vh, vl, sums, near, found, every, heads, length, dim):
        total = carray(pointer(sums + 2 * thread * dim * deep), dim, computed)
        block = carray(pointer(sums + (2 * thread + 1) * dim * deep), dim, computed)
        kept = carray(pointer(near + thread * length * 8), length, np.int64)
        for i in range(thread, every, count):
            weight = carray(pointer(weights + i * length * deep), length, computed)
            values = v + (i // heads * vb + i % heads * vh) * wide
            n = 0
            for j in range(length):
                if not weight[j] < least:  # NaN is kept, and shows
                    kept[n] = j
                    n += 1
            total[:] = 0
            for first in range(0, n, BLOCK):
                add_up(block, weight, kept[first : min(n, first + BLOCK)], values, vl * wide)
                for c in range(dim):
                    total[c] += block[c]
            out = carray(pointer(found + i * dim * wide), dim, memory)
            for c in range(dim):
                out[c] = write(total[c])

    return Loop(part)


PRODUCTS = {dtype: _products(dtype) for dtype in QUICKER}
SUMS = {dtype: _sums(dtype) for dtype in QUICKER}
