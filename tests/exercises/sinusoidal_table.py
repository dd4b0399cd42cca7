"""Right answers to sinusoidal_table, written differently."""

import math

import torch


def slices(positions, dim, base=10000.0):
    angles = torch.outer(positions.double(), base ** (-torch.arange(0, dim, 2).double() / dim))
    table = torch.empty(len(positions), dim)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


def loop(positions, dim, base=10000.0):
    def entry(p, column):
        angle = p / base ** (column // 2 * 2 / dim)
        return math.cos(angle) if column % 2 else math.sin(angle)

    return torch.tensor([[entry(p, column) for column in range(dim)] for p in positions.tolist()])


def complex_exponential(positions, dim, base=10000.0):
    angles = positions.double()[:, None] * base ** (-torch.arange(0, dim, 2).double() / dim)
    circle = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(circle).flip(-1).flatten(-2).float()


def quarter_turn(positions, dim, base=10000.0):
    column = torch.arange(dim)
    angles = positions[:, None] / base ** (column // 2 * 2 / dim) + math.pi / 2 * (column % 2)
    return angles.sin()


alternatives = [slices, loop, complex_exponential, quarter_turn]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
