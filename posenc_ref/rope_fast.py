"""The forms of RoPE's arithmetic: the plain one, and those that move less memory.

Plain: three products and a sum for each of two halves, then a join. Every step reads and writes
whole tensors, which is what its time goes into.

Fast, for inference: on a CPU, loops that read and write once (posenc_loops). Elsewhere,
neighbours in pairs *are* complex numbers in memory, so turning is one complex product, at the speed
of writing the result. Where memory cannot be read so (halves of a head, 16 bits, odd strides) a
block at a time is turned: what lies between stays in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import torch
from torch import Tensor
from torch._C import _are_functorch_transforms_active
from torch.autograd import forward_ad

from posenc_ref.device import block_size
from posenc_ref.loops import FEW, INSTALLED, loops
from posenc_ref.rope_angles import Rotations

Layout = Literal["interleaved", "half"]
LAYOUTS = get_args(Layout)


def turned(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> Tensor:
    """Return x with its pairs turned, as the formula has it.

    Source: Su et al. 2021, §3.4.2, eq. (34).
    """
    a, b = x.chunk(2, dim=-1) if layout == "half" else (x[..., ::2], x[..., 1::2])
    # 16-bit a and float32 cos give float32; each part is rounded once, before they are joined
    pair = ((a * cos - b * sin).to(x.dtype), (a * sin + b * cos).to(x.dtype))
    return torch.cat(pair, dim=-1) if layout == "half" else torch.stack(pair, dim=-1).flatten(-2)


def turned_in_graph(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> Tensor:
    """Return the same to torch.compile, which fuses the formula, or calls the loops as they are.

    torch.export gets the formula: what it writes must run where this package is not. So does a
    graph for any length, of which nobody knows how large x will be.
    """
    from torch.fx.experimental.symbolic_shapes import statically_known_true  # loads much else

    plain = all(type(given) in (Tensor, torch.nn.Parameter) for given in (x, cos, sin))
    here = plain and INSTALLED and x.is_cpu and not torch.compiler.is_exporting()
    if here and statically_known_true(x.numel() > FEW):
        return torch.ops.posenc_ref.turn(x, cos, sin, layout)
    return turned(x, cos, sin, layout)


@torch.library.custom_op("posenc_ref::turn", mutates_args=(), device_types="cpu")
def _turn(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    module = loops("posenc_loops.rope", x)
    done = module and module.turned_in_one_pass(x, cos, sin, layout)
    if done is None:  # the strides that were promised
        return torch.empty_like(x).copy_(turned(x, cos, sin, layout))
    return done


@_turn.register_fake
def _turn_shape(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    return torch.empty_like(x)


def turned_fast(x: Tensor, turns: Rotations, layout: Layout, out: Tensor | None) -> Tensor:
    """Return the same numbers, in `out` if there is one; autograd sees nothing of it."""
    few = out is None and x.numel() <= FEW
    if few and layout == "interleaved" and _holds_complex(x, turns):
        return _product(x, turns)
    module = loops("posenc_loops.rope", x)
    done = module and module.turned_in_one_pass(x, turns.cos, turns.sin, layout, out)
    if done is not None:
        return done
    if few and layout == "half" and x.dtype == turns.cos.dtype:
        swapped = x.roll(x.shape[-1] // 2, -1)
        return torch.addcmul(x * turns.keep, swapped, turns.cross)
    if out is None and layout == "interleaved" and _holds_complex(x, turns):
        return _product(x, turns)
    return _turned_by_calls(x, turns, layout, torch.empty_like(x) if out is None else out)


def _product(x: Tensor, turns: Rotations) -> Tensor:
    return (x.view(turns.factors.dtype) * turns.factors).view(x.dtype)


def _turned_by_calls(x: Tensor, turns: Rotations, layout: Layout, out: Tensor) -> Tensor:
    """Write x turned to out with few calls of torch's, for devices without loops."""
    exact, complex_dtype = x.dtype == turns.cos.dtype, turns.factors.dtype
    if layout == "interleaved" and _holds_complex(x, turns) and _holds_complex(out, turns):
        torch.mul(x.view(complex_dtype), turns.factors, out=out.view(complex_dtype))
        return out
    for part, room, turn in _blocks(x, out, turns):
        if layout == "half" and exact:  # in place: fresh memory costs more than the arithmetic
            (a, b), (first, second) = part.chunk(2, dim=-1), room.chunk(2, dim=-1)
            torch.mul(part, turn.keep, out=room)
            first.addcmul_(b, turn.sin, value=-1)
            second.addcmul_(a, turn.sin)
            continue
        wide = part.to(turn.cos.dtype, copy=True, memory_format=torch.contiguous_format)
        if layout == "half":  # rounded as `turned` rounds
            a, b = wide.chunk(2, dim=-1)
            crossed = a * turn.sin
            a.mul_(turn.cos).sub_(b * turn.sin)
            b.mul_(turn.cos).add_(crossed)
        else:
            wide.view(complex_dtype).mul_(turn.factors)
        room.copy_(wide)
    return out


def _blocks(x: Tensor, out: Tensor, turns: Rotations) -> Iterator[tuple[Tensor, Tensor, Rotations]]:
    """Yield parts of all three that fit the cache: all heads of some rows, for they share turns."""
    batch, heads, length, dim = x.shape
    rows = max(1, min(length, block_size(x.device) // max(1, batch * dim)))
    few = max(1, block_size(x.device) // max(1, batch * rows * dim))
    for start in range(0, length, rows):
        at = slice(start, start + rows)
        turn = Rotations(*(table[..., at, :] for table in turns))
        for head in range(0, heads, few):
            of = slice(head, head + few)
            yield x[:, of, at], out[:, of, at], turn


def needs_plain(x: Tensor, cos: Tensor, sin: Tensor) -> bool:
    """Tell whether autograd, backwards or forwards, or torch.func follows one of the three."""
    if _are_functorch_transforms_active():  # vmap and its kind
        return True
    if (x.requires_grad or cos.requires_grad or sin.requires_grad) and torch.is_grad_enabled():
        return True
    if forward_ad._current_level < 0:  # as `unpack_dual` asks, which takes as long as the turning
        return False
    return any(forward_ad.unpack_dual(tensor).tangent is not None for tensor in (x, cos, sin))


def _holds_complex(x: Tensor, turns: Rotations) -> bool:
    """Tell whether neighbours of x (B, H, L, D) lie in memory as complex numbers do."""
    row, head, token, channel = x.stride()
    aligned = channel == 1 and not (row | head | token | x.storage_offset()) & 1  # all even
    return aligned and x.dtype == turns.cos.dtype
