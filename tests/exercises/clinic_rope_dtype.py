"""Right answers to clinic_rope_dtype, written differently."""

import torch


def doubles(at, dim, factor=1.0, dtype=torch.float32):
    omega = 10000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    angles = at.double()[:, None] / factor * omega
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


def each_rounded(at, dim, factor=1.0, dtype=torch.float32):
    omega = 10000.0 ** (-torch.arange(0, dim, 2).double() / dim)
    angles = torch.outer(at.double() / factor, omega)
    out = torch.empty(2, *angles.shape, dtype=dtype)
    out[0], out[1] = angles.cos(), angles.sin()
    return out


alternatives = [doubles, each_rounded]

equivalent = {  # mutant → why it is right too
    "….float()": "exact for positions below 2^24",
    "….long()": "positions are integers",
}
