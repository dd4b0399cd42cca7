"""Right answers to ntk_base, written differently."""

import math

import torch


def by_logarithms(dim, factor, base=10000.0):
    return math.exp(math.log(base) + math.log(factor) * dim / (dim - 2))


def solved(dim, factor, base=10000.0):
    slowest = base ** (-(dim - 2) / dim) / factor
    return slowest ** (-dim / (dim - 2))


def as_tensor(dim, factor, base=10000.0):
    return torch.tensor(base * factor * factor ** (2 / (dim - 2)), dtype=torch.float64)


alternatives = [by_logarithms, solved, as_tensor]
