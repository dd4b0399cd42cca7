"""Right answers to sinusoidal_similarity, written differently."""

import torch


def from_rows(distances, dim, base=10000.0):
    angles = torch.outer(distances.double(), base ** (-torch.arange(0, dim, 2).double() / dim))
    rows = torch.cat((angles.sin(), angles.cos()), dim=-1)
    origin = torch.cat((torch.zeros(dim // 2), torch.ones(dim // 2))).double()
    return rows @ origin


def loop(distances, dim, base=10000.0):
    total = torch.zeros(len(distances))
    for i in range(dim // 2):
        total += (distances * base ** (-2 * i / dim)).cos()
    return total


def real_part(distances, dim, base=10000.0):
    omega = base ** (-torch.arange(0, dim, 2) / dim)
    return torch.exp(1j * distances[:, None] * omega).sum(-1).real


alternatives = [from_rows, loop, real_part]

equivalent = {  # mutant → why it is right too
    "return (distances[:, None] * omega).cos().sum(-1)"
    "  →  return (distances[:, None] * omega).cos().sum(1)": "axis 1 is the last",
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
