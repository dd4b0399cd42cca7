"""Right answers to sinusoidal_wavelength, written differently."""

import math

import torch


def from_frequencies(dim, base=10000.0):
    omega = torch.exp(-math.log(base) * torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    return 2 * math.pi / omega


def loop(dim, base=10000.0):
    return torch.tensor([math.tau * base ** (channel / dim) for channel in range(0, dim, 2)])


alternatives = [from_frequencies, loop]
