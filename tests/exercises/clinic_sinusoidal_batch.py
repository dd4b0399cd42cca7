"""Right answers to clinic_sinusoidal_batch, written differently."""

import torch


def by_lengths(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for b in range(n):
        mask[b, n - 1 - b :] = True
    return mask


def upside_down(n):
    return torch.ones(n, n, dtype=torch.bool).triu().flip(0)


alternatives = [by_lengths, upside_down]
