"""RoPE in one pass over a CPU's memory: loops that numba compiles when they are first called.

Each number of x is read once and each of the result is written once, which no composition of
torch's operations does for halves of a head or for 16 bits. The sums are those of `turned`, in the
same order and precision, and the results equal to the bit.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from numba import carray, njit
from torch import Tensor
from torch.autograd.graph import increment_version

from posenc_loops.memory import FORMATS, ask_for_pages, dense, pointer, unwatched
from posenc_loops.threads import Loop, lent

FEW = 2**16  # numbers; to wake a thread takes longer than to turn so few
COMPUTED = {dtype: torch.promote_types(dtype, torch.float32) for dtype in FORMATS}
HEADS, ROWS = 4, 256  # a share of the work: its cosines and sines stay in the cache


def turned_in_one_pass(
    x: Tensor, cos: Tensor, sin: Tensor, layout: str, out: Tensor | None = None
) -> Tensor | None:
    """Return x (B, H, L, D) with its pairs turned, in `out` if there is one.

    cos and sin: (L, D/2) or (B, 1, L, D/2).
    None where loops may not work on memory: other devices and precisions, tensors with a class or
    a sign of their own, numbers of a row that lie apart, modes that watch what torch does.

    Source: Su et al. 2021, §3.4.2, eq. (34).
    """
    x_steps, steps, dtype = x.stride(), cos.stride(), x.dtype
    if not (
        dense(x)
        and type(cos) is type(sin) is Tensor
        and cos.is_cpu
        and sin.is_cpu
        and not (cos.is_neg() or sin.is_neg())
        and x_steps[-1] == 1 == steps[-1]
        and steps == sin.stride()
        and cos.dtype is sin.dtype is COMPUTED.get(dtype)
        and unwatched()
    ):
        return None
    batch, heads, length, dim = x.shape
    many = batch * heads * length * dim > FEW
    if many and not lent():
        return None
    if out is None:
        result = torch.empty_like(x)
    elif dense(out):
        result = out
    else:
        return None
    xb, xh, xl, _ = x_steps
    ob, oh, ol, step = result.stride()
    of_x, of_cos, of_sin = x.data_ptr(), cos.data_ptr(), sin.data_ptr()
    if step != 1 or not (of_x and of_cos and of_sin):  # 0: memory given back, or none ever
        return None
    loop = LOOPS[layout][dtype]
    run = loop.together if many else loop.alone
    run(
        of_x,
        xb,
        xh,
        xl,
        of_cos,
        of_sin,
        steps[0] if len(steps) == 4 else 0,
        steps[-2],
        result.data_ptr(),
        ob,
        oh,
        ol,
        batch,
        heads,
        length,
        dim // 2,
        1 if many and out is None else 0,
    )
    if out is not None:
        increment_version(out)  # autograd must know that what it may have kept is gone
    return result


@njit(inline="always")  # to call it for each row takes a tenth of the time
def _halves(x, cos, sin, out, read, write):
    """Turn one row: x and out (D,), cos and sin (D/2,)."""
    pairs = cos.size
    for i in range(pairs):
        out[i] = write(read(x[i]) * cos[i] - read(x[pairs + i]) * sin[i])
    for i in range(pairs):
        out[pairs + i] = write(read(x[i]) * sin[i] + read(x[pairs + i]) * cos[i])


@njit(inline="always")
def _halves_at_once(x, cos, sin, out, read, write):
    """Turn one row: for 16 bits, where reading a number twice costs more than writing far apart."""
    pairs = cos.size
    for i in range(pairs):
        a, b = read(x[i]), read(x[pairs + i])
        out[i] = write(a * cos[i] - b * sin[i])
        out[pairs + i] = write(a * sin[i] + b * cos[i])


@njit(inline="always")
def _neighbours(x, cos, sin, out, read, write):
    """Turn one row: x and out (D,), cos and sin (D/2,)."""
    for i in range(cos.size):
        a, b = read(x[2 * i]), read(x[2 * i + 1])
        out[2 * i] = write(a * cos[i] - b * sin[i])
        out[2 * i + 1] = write(a * sin[i] + b * cos[i])


def _loop(turn: Callable, dtype: torch.dtype) -> Loop:
    """Return the loop over all rows.

    x, cos, sin and out are addresses; xb, xh and xl the steps in x from a batch entry, head or
    token to the next; tb and tl those in the tables, ob, oh and ol those in out. All heads turn
    alike.
    """
    memory, computed, read, write = FORMATS[dtype]
    wide, deep = memory.itemsize, computed.itemsize

    @njit
    def share(i, x, xb, xh, xl, cos, sin, tb, tl, out, ob, oh, ol, heads, length, pairs, fresh):
        groups, spans = -(-heads // HEADS), -(-length // ROWS)
        b, first_head = i // (groups * spans), i // spans % groups * HEADS
        first = i % spans * ROWS
        last = min(length, first + ROWS)
        for h in range(first_head, min(heads, first_head + HEADS)):
            from_x, to_out = x + (b * xb + h * xh) * wide, out + (b * ob + h * oh) * wide
            if fresh:
                end = to_out + ((last - 1) * ol + 2 * pairs) * wide
                ask_for_pages(to_out + first * ol * wide, end)
            for token in range(first, last):
                table = (b * tb + token * tl) * deep
                turn(
                    carray(pointer(from_x + token * xl * wide), 2 * pairs, memory),
                    carray(pointer(cos + table), pairs, computed),
                    carray(pointer(sin + table), pairs, computed),
                    carray(pointer(to_out + token * ol * wide), 2 * pairs, memory),
                    read,
                    write,
                )

    @njit(nogil=True)
    def rows(
        thread,
        count,
        x,
        xb,
        xh,
        xl,
        cos,
        sin,
        tb,
        tl,
        out,
        ob,
        oh,
        ol,
        batch,
        heads,
        length,
        pairs,
        fresh,
    ):
        shares = batch * -(-heads // HEADS) * -(-length // ROWS)
        for i in range(shares * thread // count, shares * (thread + 1) // count):
            share(i, x, xb, xh, xl, cos, sin, tb, tl, out, ob, oh, ol, heads, length, pairs, fresh)

    return Loop(rows)


LOOPS = {
    "interleaved": {dtype: _loop(_neighbours, dtype) for dtype in FORMATS},
    "half": {
        dtype: _loop(_halves_at_once if dtype.itemsize == 2 else _halves, dtype)
        for dtype in FORMATS
    },
}
