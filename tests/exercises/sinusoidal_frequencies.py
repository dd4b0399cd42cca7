"""Right answers to sinusoidal_frequencies, written differently."""

import math

import torch


def logarithm(dim, base=10000.0):
    return torch.exp(torch.arange(0, dim, 2) * (-math.log(base) / dim))


def loop(dim, base=10000.0):
    return torch.tensor([1.0 / base ** (2 * i / dim) for i in range(dim // 2)])


def cumulative(dim, base=10000.0):
    ratio = torch.full((dim // 2,), base ** (-2 / dim), dtype=torch.float64)
    ratio[0] = 1.0
    return ratio.cumprod(0)


alternatives = [logarithm, loop, cumulative]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
