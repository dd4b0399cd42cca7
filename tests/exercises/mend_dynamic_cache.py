"""Right answers to mend_dynamic_cache, written differently."""

import math

import torch


def both_turned(query, keys, trained_length):
    n, dim = keys.shape
    base = 10000.0 * max(1.0, n / trained_length) ** (dim / (dim - 2))
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(0, dim, 2).double() / dim)

    def turned(x, angles):
        a, b = x.chunk(2, dim=-1)
        c, s = angles.cos(), angles.sin()
        return torch.cat((a * c - b * s, a * s + b * c), dim=-1)

    return turned(keys, angles) @ turned(query, angles[-1]) / math.sqrt(dim)


def complex_numbers(query, keys, trained_length):
    n, dim = keys.shape
    stretch = n / trained_length if n > trained_length else 1
    slowing = stretch ** (torch.arange(dim // 2).double() / (dim / 2 - 1))
    omega = 10000.0 ** (-torch.arange(dim // 2).double() * 2 / dim) / slowing
    q, k = torch.complex(*query.chunk(2)), torch.complex(*keys.chunk(2, dim=-1))
    turns = torch.exp(1j * (torch.arange(n) - n + 1)[:, None] * omega)
    return (q.conj() * k * turns).sum(-1).real / dim**0.5


alternatives = [both_turned, complex_numbers]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is as good as the task needs",
    "base = 10000.0 * max(1.0, length / trained_length) ** (dim / (dim - 2))"
    "  →  base = 10000.0 * max(length / trained_length, 1.0) ** (dim / (dim - 2))": (
        "the larger of two, in either order"
    ),
}
