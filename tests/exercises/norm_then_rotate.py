"""Right answers to norm_then_rotate, written differently."""

import torch
from torch.nn.functional import rms_norm


def library_norm(x, gain, angles, eps=1e-6):
    both = angles.repeat(1, 2)
    y = rms_norm(x, x.shape[-1:], gain, eps)
    a, b = y.chunk(2, dim=-1)
    return (y * both.cos() + torch.cat((-b, a), dim=-1) * both.sin()).to(x.dtype)


def exact(x, gain, angles, eps=1e-6):
    wide = x.double()
    y = wide / (wide.square().mean(-1, keepdim=True) + eps).sqrt() * gain
    z = torch.complex(*y.chunk(2, dim=-1)) * torch.exp(1j * angles.double())
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)


alternatives = [library_norm, exact]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is all that the task promises",
}
