"""Right answers to rope_interleaved, written differently."""

import torch


def complex_product(x, angles):
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.exp(1j * angles)).flatten(-2).to(x.dtype)


def rotate_every_two(x, angles):
    cos = angles.cos().repeat_interleave(2, dim=-1).to(x.dtype)
    sin = angles.sin().repeat_interleave(2, dim=-1).to(x.dtype)
    turned = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * cos + turned * sin


def in_place_of_a_copy(x, angles):
    out = torch.empty_like(x)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return out


alternatives = [complex_product, rotate_every_two, in_place_of_a_copy]

equivalent = {
    "….float()": (
        "an angle of thousands of radians is right to 1e-4 in float32: x in 16 bits cannot tell"
    ),
}
