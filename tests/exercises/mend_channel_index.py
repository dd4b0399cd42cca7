"""Right answers to mend_channel_index, written differently."""

import math

import torch


def logarithm(positions, dim, base=10000.0):
    omega = torch.exp(torch.arange(0, dim, 2) * (-math.log(base) / dim))
    return torch.cat(
        (torch.outer(positions.float(), omega).sin(), (positions[:, None] * omega).cos()), 1
    )


def float64(positions, dim, base=10000.0):
    angles = positions.double()[:, None] / base ** (2 * torch.arange(dim // 2).double() / dim)
    return torch.hstack((angles.sin(), angles.cos()))


alternatives = [logarithm, float64]

equivalent = {  # mutant → why it is right too
    "return torch.cat((angles.sin(), angles.cos()), dim=-1)"
    "  →  return torch.cat((angles.sin(), angles.cos()), dim=1)": "axis 1 is the last",
}
