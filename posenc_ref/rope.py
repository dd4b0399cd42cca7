"""Rotary position embedding (RoPE), Su et al. 2021, §3.2: each pair of channels turns by p·ω.

    (a, b) at position p, pair i   →   (a cos pω_i - b sin pω_i,  a sin pω_i + b cos pω_i)

Applied to queries and keys, never to values, in every layer: then q·k depends on the distance
alone, (R_m q)·(R_n k) = q·R_{n-m} k. Which channels form pair i is a convention, named in the call:

- layout "interleaved": channels 2i and 2i + 1 (RoFormer, GPT-J, Meta's Llama code).
- layout "half": channels i and i + D/2 (GPT-NeoX, Llama in Hugging Face transformers).

Weights trained for one give wrong scores in the other, without an error; rope_layout.py converts.
Angles are float64 where possible, cosine and sine float32 or better, and 16-bit inputs are turned
in float32 and rounded once. `rotate_plain` is the specification; without autograd, `rotate` gives
the same numbers faster (rope_fast.py). torch.compile gets the plain form and fuses it, but for many
numbers on a CPU it calls what `rotate` calls.

In a decode step the calls cost more than the sums: where one projection gives q and k, the heads of
k behind those of q, one call turns both in half the time.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.compiler import is_compiling

from posenc_ref.positions import require_tensors
from posenc_ref.rope_angles import Rotations, rope_angles, rotations
from posenc_ref.rope_fast import LAYOUTS, Layout, needs_plain, turned, turned_fast, turned_in_graph
from posenc_ref.scalars import require_finite
from posenc_ref.sinusoidal import frequencies


def rotate(
    x: Tensor,
    angles: Tensor | Rotations,
    *,
    layout: Layout,
    attention_factor: float = 1.0,
    out: Tensor | None = None,
) -> Tensor:
    """Return x with every pair turned by its angle: queries or keys (B, H, L, D), same dtype.

        (a, b) → f · (a cos θ - b sin θ, a sin θ + b cos θ),   f = attention_factor

    angles: (L, D/2), or (B, L, D/2) with positions of each row; or their `rotations`, made once.
    out: a tensor like x to write to, with no memory of x in it; not for autograd or torch.func.

    Source: Su et al. 2021, §3.4.2, eq. (34).
    Raises:
        TypeError: x is not of floats of 16 bits or more; rotations are less precise than x; as
            `rotations`; out is no tensor.
        ValueError: shapes disagree; layout is unknown; a factor comes with finished rotations; as
            `rotations`; out overlaps x or itself, or is given where autograd follows.
    Example:
        >>> from posenc_ref import rotate
        >>> x = torch.tensor([1.0, 0.0, 0.0, 1.0]).view(1, 1, 1, 4)
        >>> quarter = torch.full((1, 2), torch.pi / 2)
        >>> rotate(x, quarter, layout="interleaved").round(decimals=3).flatten().tolist()
        [-0.0, 1.0, -1.0, -0.0]
    """
    turns = _checked(x, angles, layout, attention_factor)
    followed = needs_plain(x, turns.cos, turns.sin)
    if out is not None:
        _check_out(out, x, followed)
    if followed or is_compiling():
        form = turned if followed else turned_in_graph
        found = form(x, turns.cos, turns.sin, layout)
        return found if out is None else out.copy_(found)
    return turned_fast(x, turns, layout, out)


def rotate_plain(
    x: Tensor, angles: Tensor | Rotations, *, layout: Layout, attention_factor: float = 1.0
) -> Tensor:
    """Return what `rotate` returns, (B, H, L, D), as the formula has it: the specification.

        (a, b) → f · (a cos θ - b sin θ, a sin θ + b cos θ),   f = attention_factor

    Source: Su et al. 2021, §3.4.2, eq. (34).
    Raises:
        TypeError, ValueError: as `rotate`.
    Example:
        >>> from posenc_ref import rotate_plain
        >>> x = torch.tensor([1.0, 0.0, 0.0, 1.0]).view(1, 1, 1, 4)
        >>> rotate_plain(x, torch.tensor([[torch.pi, 0.0]]), layout="half").flatten().tolist()
        [-1.0, 0.0, -8.742277657347586e-08, 1.0]
    """
    turns = _checked(x, angles, layout, attention_factor)
    return turned(x, turns.cos, turns.sin, layout)


def rotation_matrix(
    offset: float,
    dim: int,
    *,
    layout: Layout = "interleaved",
    base: float = 10000.0,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
) -> Tensor:
    """Return R_p for p = `offset`, shape (dim, dim), to look at.

        R_p x = x turned by pω

    Source: Su et al. 2021, §3.2.2, eq. (15).
    Raises:
        TypeError: dtype is not of floats; as `frequencies`; offset is no real number.
        ValueError: as `frequencies`; layout is unknown; offset is not finite.
    Example:
        >>> from posenc_ref import rotation_matrix
        >>> rotation_matrix(1, 2).round(decimals=3).tolist()
        [[0.5400000214576721, -0.8410000205039978], [0.8410000205039978, 0.5400000214576721]]
    """
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        raise TypeError(f"dtype must be of floats, got {dtype!r}")
    require_finite(offset=offset)
    angles = rope_angles(torch.tensor([offset], dtype=torch.float64), frequencies(dim, base=base))
    rows = torch.eye(dim, dtype=torch.float64)[:, None, None]  # each unit vector as a batch entry
    return rotate_plain(rows, angles, layout=layout)[:, 0, 0].T.to(device, dtype)


Shape = tuple[float, ...]


def _checked(
    x: Tensor, angles: Tensor | Rotations, layout: str, attention_factor: float
) -> Rotations:
    if layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(LAYOUTS)}, got {layout!r}")
    turns = angles if isinstance(angles, Rotations) else _finished(x, angles, attention_factor)
    if turns is angles and attention_factor != 1.0:
        raise ValueError("give attention_factor to rotations(…), which are finished here")
    cos, dtype, shape = turns.cos, x.dtype, x.shape
    if dtype is not cos.dtype:
        _require_floats(dtype)
        if torch.promote_types(dtype, cos.dtype) != cos.dtype:
            raise TypeError(f"rotations in {cos.dtype} are less precise than x in {dtype}")
    batch, _, length, dim = shape if len(shape) == 4 else (0, 0, 0, 1)
    if _are_of(turns, layout, (length, dim / 2), (length, dim)):
        return turns
    if _are_of(turns, layout, (batch, length, dim / 2), (batch, length, dim)):
        return Rotations(*(part[:, None] for part in turns))
    if not _are_of(turns, layout, cos.shape, (*cos.shape[:-1], cos.shape[-1] * 2)):
        shapes = ", ".join(str(tuple(part.shape)) for part in turns)
        raise ValueError(f"rotations must be as rotations(…) made them, got {shapes}")
    raise ValueError(
        f"x (B, H, L, D) and angles (L, D/2) or (B, L, D/2) disagree: "
        f"{tuple(shape)} and {tuple(cos.shape)}"
    )


def _are_of(turns: Rotations, layout: str, half: Shape, whole: Shape) -> bool:
    """Tell whether the tables the layout reads are of these shapes: smaller ones broadcast."""
    cos, sin, factors, keep, cross = turns
    if cos.shape != half or sin.shape != half:
        return False
    if layout == "interleaved":
        return factors.shape == half
    return keep.shape == cross.shape == whole


def _finished(x: Tensor, angles: Tensor, attention_factor: float) -> Rotations:
    require_tensors(x=x, angles=angles)
    _require_floats(x.dtype)
    enough = torch.promote_types(x.dtype, torch.float32)
    return rotations(angles, attention_factor=attention_factor, dtype=enough)


def _require_floats(dtype: torch.dtype) -> None:
    if not dtype.is_floating_point:
        raise TypeError(f"x must be of floats, got {dtype}")
    if dtype.itemsize < 2:
        raise TypeError(f"x must be of 16 bits or more, got {dtype}")


def _check_out(out: Tensor, x: Tensor, followed: bool) -> None:
    require_tensors(out=out)
    if followed:
        raise ValueError(
            "autograd and torch.func cannot follow what is written to out: leave it out"
        )
    if out.shape != x.shape or out.dtype != x.dtype:
        asked, got = ((tuple(t.shape), t.dtype) for t in (x, out))
        raise ValueError(f"out must be like x, {asked}, got {got}")
    if is_compiling():  # there all is computed before anything is written
        return
    if out.requires_grad and torch.is_grad_enabled():
        raise ValueError("autograd follows out: give one that does not require a gradient")
    if out.is_inference() and not torch.is_inference_mode_enabled():
        raise ValueError("out was made in inference mode, and may be written there alone")
    if not _spreads(out):
        raise ValueError("out must not overlap itself: each number needs a place of its own")
    (low, high), (first, last) = (_span(t) for t in (x, out))
    if low < last and first < high:
        raise ValueError("out must not overlap x: both parts of a pair are read twice")


def _spreads(x: Tensor) -> bool:
    """Tell whether each step in x passes over all that smaller steps reach."""
    reached = 0
    for step, n in sorted(zip(x.stride(), x.shape, strict=True)):
        if n > 1:
            if step <= reached:
                return False
            reached += (n - 1) * step
    return True


def _span(x: Tensor) -> tuple[int, int]:
    """Return the addresses from which, and up to which, x lies in memory; equal if it is empty."""
    start = x.data_ptr()
    if not x.numel():
        return start, start
    farthest = sum((n - 1) * step for n, step in zip(x.shape, x.stride(), strict=True))
    return start, start + (farthest + 1) * x.element_size()
