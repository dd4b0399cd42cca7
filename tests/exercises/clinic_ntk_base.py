"""Right answers to clinic_ntk_base, written differently."""

import math

import torch


def by_pair(at, dim, factor=1.0, dtype=torch.float32):
    i = torch.arange(dim // 2)
    omega = 10000.0 ** (-2 * i / dim) * factor ** (-2 * i / (dim - 2))
    angles = torch.outer(at.double(), omega.double())
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


def logarithm(at, dim, factor=1.0, dtype=torch.float32):
    log_base = math.log(10000.0) + math.log(factor) * dim / (dim - 2)
    omega = torch.exp(-log_base * torch.arange(0, dim, 2) / dim)
    turn = torch.exp(1j * at[:, None] * omega)
    return torch.stack((turn.real, turn.imag)).to(dtype)


alternatives = [by_pair, logarithm]

equivalent = {  # mutant → why it is right too
    "….float()": "exact for positions below 2^24",
    "….long()": "positions are integers",
}
