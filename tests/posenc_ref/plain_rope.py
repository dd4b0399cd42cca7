"""RoPE written pair by pair from its definition: what `rotate` is compared with."""

import torch


def rotate_plain(x, angles, *, layout):
    """x (B, H, L, D) with pair i turned by angles[…, l, i], in float32 or better."""
    wide = torch.promote_types(x.dtype, torch.float32)
    angles = angles[:, None] if angles.dim() == 3 else angles
    cos, sin = angles.cos().to(wide), angles.sin().to(wide)
    half, result = x.shape[-1] // 2, torch.empty_like(x, dtype=wide)
    for i in range(half):
        one, other = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + half)
        a, b, c, s = x[..., one].to(wide), x[..., other].to(wide), cos[..., i], sin[..., i]
        result[..., one], result[..., other] = a * c - b * s, a * s + b * c
    return result.to(x.dtype)
