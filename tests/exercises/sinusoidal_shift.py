"""Right answers to sinusoidal_shift, written differently."""

import math

import torch


def block_diag(offset, dim, base=10000.0):
    angles = offset * base ** (-torch.arange(0, dim, 2).double() / dim)
    c, s = angles.cos(), angles.sin()
    return torch.block_diag(*torch.stack((c, s, -s, c), dim=-1).view(-1, 2, 2))


def diagonals(offset, dim, base=10000.0):
    angles = offset * base ** (-torch.arange(0, dim, 2) / dim)
    cos, sin = angles.cos().repeat_interleave(2), torch.zeros(dim - 1)
    sin[0::2] = angles.sin()
    return cos.diag() + sin.diag(1) - sin.diag(-1)


def exponential(offset, dim, base=10000.0):
    # M_k = exp(k G): the generator G holds +ω above and -ω below the diagonal
    generator = torch.zeros(dim, dim, dtype=torch.float64)
    for i in range(dim // 2):
        omega = math.exp(-2 * i / dim * math.log(base))
        generator[2 * i, 2 * i + 1], generator[2 * i + 1, 2 * i] = omega, -omega
    return torch.linalg.matrix_exp(offset * generator)


alternatives = [block_diag, diagonals, exponential]

equivalent = {  # mutant → why it is right too
    "….squeeze()": "no axis has size 1: dim is even",
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
