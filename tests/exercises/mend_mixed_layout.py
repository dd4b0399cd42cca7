"""Right answers to mend_mixed_layout, written differently."""

import torch


def doubled(positions, dim, base=10000.0):
    omega = base ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(positions.float(), omega)
    return torch.hstack((angles, angles))


def by_remainder(positions, dim, base=10000.0):
    pair = torch.arange(dim) % (dim // 2)
    return positions.double()[:, None] / base ** (2 * pair.double() / dim)


def loop(positions, dim, base=10000.0):
    half = dim // 2
    return torch.stack([positions * base ** (-2 * (c % half) / dim) for c in range(dim)], dim=1)


alternatives = [doubled, by_remainder, loop]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
