"""Right answers to decode_positions, written differently."""

import torch


def loop(positions, visible, count=1):
    rows = []
    for at, seen in zip(positions.tolist(), visible.tolist(), strict=True):
        first = max([p for p, s in zip(at, seen, strict=True) if s], default=-1) + 1
        rows.append(list(range(first, first + count)))
    return torch.tensor(rows)


def product(positions, visible, count=1):
    first = ((positions + 1) * visible).max(dim=1).values
    return first[:, None] + torch.arange(count)


alternatives = [loop, product]

equivalent = {
    "….half().to(visible.dtype)": "true and false, as before",
    "….long()": "integers already",
}
