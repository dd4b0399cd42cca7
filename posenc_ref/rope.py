"""Rotary position embedding (RoPE), Su et al. 2021, §3.2: each pair of channels turns by p·ω.

    (a, b) at position p, pair i   →   (a cos pω_i - b sin pω_i,  a sin pω_i + b cos pω_i)

Applied to queries and keys, never to values, in every layer: then q·k depends on the distance
alone, (R_m q)·(R_n k) = q·R_{n-m} k. Which channels form pair i is a convention, named in the call:

- layout "interleaved": channels 2i and 2i + 1 (RoFormer, GPT-J, Meta's Llama code).
- layout "half": channels i and i + D/2 (GPT-NeoX, Llama in Hugging Face transformers).

Weights trained for one give wrong scores in the other, without an error. 16-bit inputs are turned
in float32 and rounded once.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.compiler import is_compiling

from posenc_ref.rope_angles import Layout, Rotations, rotations
from posenc_ref.scalars import require_choice
from posenc_ref.tensors import require_floats

CACHED = 2**17  # numbers: in float32 half a MiB, and four such lie in a core's cache


def rotate(
    x: Tensor, angles: Tensor | Rotations, *, layout: Layout, attention_factor: float = 1.0
) -> Tensor:
    """Return x with every pair turned by its angle: queries or keys (B, H, L, D), same dtype.

        (a, b) → f · (a cos θ - b sin θ, a sin θ + b cos θ),   f = attention_factor

    angles: (L, D/2); (B, L, D/2) with positions of each row; (B or 1, H, L, D/2) with angles of
        each head, H as in x; or their `rotations`, made once for this layout.

    Source: Su et al. 2021, §3.4.2, eq. (34).
    Raises:
        TypeError: x is not of floats of 16 bits or more; rotations are less precise than x; as
            `rotations`.
        ValueError: shapes disagree; layout is unknown; a factor comes with finished rotations; as
            `rotations`.
    Example:
        >>> from posenc_ref import rotate
        >>> x = torch.tensor([1.0, 0.0, 0.0, 1.0]).view(1, 1, 1, 4)
        >>> quarter = torch.full((1, 2), torch.pi / 2)
        >>> rotate(x, quarter, layout="interleaved").round(decimals=3).flatten().tolist()
        [-0.0, 1.0, -1.0, -0.0]
    """
    require_choice(Layout, layout=layout)
    cos, sin = _checked(x, angles, layout, attention_factor)
    if x.numel() <= CACHED or not x.is_cpu or is_compiling():
        return _turned(x, cos, sin, layout).type_as(x)  # 16 bits: rounded once
    tokens = max(1, CACHED // x[:, :, :1].numel())  # at a time: what is between stays in the cache
    parts = zip(*(each.split(tokens, dim=-2) for each in (x, cos, sin)), strict=True)
    pieces = (_turned(*part, layout) for part in parts)
    if torch.is_grad_enabled() and (x.requires_grad or cos.requires_grad):
        return torch.cat([piece.type_as(x) for piece in pieces], dim=-2)
    result = None
    for number, piece in enumerate(pieces):
        if result is None:  # of a piece: under vmap, x or the angles alone may be mapped
            result = piece.new_empty(x.shape, dtype=x.dtype)
        result.narrow(-2, number * tokens, piece.shape[-2]).copy_(piece)
    return result


def _turned(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> Tensor:
    """Return x turned, in its own dtype or in that of cos and sin."""
    if layout == "interleaved" and (is_compiling() or not _holds_complex(x)):
        a, b = x[..., ::2], x[..., 1::2]
        parts = a * cos - b * sin, a * sin + b * cos
        return torch.stack([part.to(x.dtype) for part in parts], dim=-1).flatten(-2)
    wide = x if x.dtype == cos.dtype else x.type_as(cos)
    if layout == "half":  # (a, b) ⊙ (cos, cos) + (b, a) ⊙ (-sin, sin)
        return torch.addcmul(wide * cos, wide.roll(x.shape[-1] // 2, -1), sin)
    batch, heads, length, dim = x.shape
    pairs = torch.view_as_complex(wide.view(batch, heads, length, dim // 2, 2))
    return torch.view_as_real(pairs * torch.complex(cos, sin)).view_as(x)  # (a + ib) · e^{iθ}


def _holds_complex(x: Tensor) -> bool:
    """Return whether neighbours of x lie in memory as complex numbers do."""
    row, head, token, channel = x.stride()
    return channel == 1 and not (row | head | token | x.storage_offset()) & 1


def _checked(
    x: Tensor, angles: Tensor | Rotations, layout: Layout, attention_factor: float
) -> Rotations:
    """Return cos and sin, ready to meet x (B, H, L, D)."""
    if isinstance(angles, Rotations):
        if attention_factor != 1.0:
            raise ValueError("attention_factor belongs in rotations(…): these are finished")
        cos, sin = angles
    else:
        require_floats(x=x)
        wide = torch.promote_types(x.dtype, torch.float32)
        cos, sin = rotations(angles, layout, attention_factor=attention_factor, dtype=wide)
    if x.dtype not in (cos.dtype, torch.bfloat16, torch.float16):
        require_floats(x=x)
        if torch.promote_types(x.dtype, cos.dtype) != cos.dtype:
            raise TypeError(f"rotations in {cos.dtype} are less precise than x in {x.dtype}")
    batch, heads, length, dim = x.shape if x.dim() == 4 else (0, 0, 0, 0)
    width, shape = dim if layout == "half" else dim / 2, cos.shape
    if shape == (length, width) and sin.shape == shape:
        return Rotations(cos, sin)
    if shape == (batch, length, width) and sin.shape == shape:
        return Rotations(cos[:, None], sin[:, None])
    if shape in ((batch, heads, length, width), (1, heads, length, width)) and sin.shape == shape:
        return Rotations(cos, sin)
    if isinstance(angles, Rotations):
        shapes = ", ".join(str(tuple(part.shape)) for part in (x, cos, sin))
        raise ValueError(f"x and rotations disagree in layout {layout!r}: {shapes}")
    shapes = f"{tuple(x.shape)} and {tuple(angles.shape)}"
    raise ValueError(f"x (B, H, L, D) and angles (L, D/2) or (B, L, D/2) disagree: {shapes}")
