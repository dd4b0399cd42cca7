"""Right answers to interpolated_angles, written differently."""

import torch


def outer(positions, dim, factor, base=10000.0):
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    return torch.outer(positions.double(), omega / factor)


def loop(positions, dim, factor, base=10000.0):
    rows = [[p / factor * base ** (-2 * i / dim) for i in range(dim // 2)] for p in positions]
    return torch.tensor(rows)


alternatives = [outer, loop]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
