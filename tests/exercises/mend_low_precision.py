"""Right answers to mend_low_precision, written differently."""

import math

import torch


def float32(positions, dim, dtype):
    angles = torch.outer(positions.float(), 10000.0 ** (-torch.arange(0, dim, 2) / dim))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).to(dtype)


def filled(positions, dim, dtype):
    table = torch.empty(len(positions), dim, dtype=dtype)
    omega = torch.exp(torch.arange(0, dim, 2).double() * (-math.log(10000.0) / dim))
    angles = positions.double()[:, None] * omega
    table[:, 0::2], table[:, 1::2] = angles.sin().to(dtype), angles.cos().to(dtype)
    return table


def plain_python(positions, dim, dtype):
    def entry(p, column):
        return (math.sin, math.cos)[column % 2](p * 10000.0 ** (-(column - column % 2) / dim))

    return torch.tensor([[entry(p, c) for c in range(dim)] for p in positions.tolist()]).to(dtype)


alternatives = [float32, filled, plain_python]

equivalent = {  # mutant → why it is right too
    "angles = positions.double()[:, None] * omega"
    "  →  angles = positions[:, None] * omega": "an integer times a float64 is a float64",
    "….float()": "exact in float32 up to 2**24",
    "….long()": "integers already, or a mask of 0 and 1",
}
