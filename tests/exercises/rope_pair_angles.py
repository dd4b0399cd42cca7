"""Right answers to rope_pair_angles, written differently."""

import torch


def outer(positions, dim, base=10000.0):
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    return torch.outer(positions.to(torch.float64), omega)


def divided(positions, dim, base=10000.0):
    pairs = dim // 2
    i = torch.arange(pairs).double()
    return positions.double().unsqueeze(1) / torch.pow(torch.tensor(base).double(), i / pairs)


def loop(positions, dim, base=10000.0):
    rows = [[p * base ** (-2 * i / dim) for i in range(dim // 2)] for p in positions.tolist()]
    return torch.tensor(rows, dtype=torch.float64)


alternatives = [outer, divided, loop]

equivalent = {
    "return positions.double()[:, None] * base ** (-2 * i / dim)"
    "  →  return positions[:, None] * base ** (-2 * i / dim)": "float64 frequencies decide",
}
