"""Right answers to yarn_scaling, written differently."""

import math

import torch


def loop(dim, factor, trained_length, base=10000.0):
    frequencies = []
    for i in range(dim // 2):
        w = base ** (-2 * i / dim)
        kept = min(max((trained_length * w / math.tau - 1) / 31, 0), 1)
        frequencies.append(w * (kept + (1 - kept) / factor))
    return torch.tensor(frequencies), 1 + math.log(factor) / 10


def lerp(dim, factor, trained_length, base=10000.0):
    omega = base ** (-torch.arange(0, dim, 2) / dim)
    kept = ((trained_length * omega / (2 * math.pi) - 1) / 31).clamp(0, 1)
    return torch.lerp(omega / factor, omega, kept), 0.1 * math.log(factor) + 1.0


alternatives = [loop, lerp]
