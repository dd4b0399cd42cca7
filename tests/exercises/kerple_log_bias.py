"""Right answers to kerple_log_bias, written differently."""

import math

import torch


def with_log(length, r1, r2):
    p = torch.arange(length, dtype=torch.float64)
    distance = (p - p[:, None]).abs()
    return -r1.view(-1, 1, 1) * (1 + r2.view(-1, 1, 1) * distance).log()


def loop(length, r1, r2):
    table = [
        [[-a * math.log(1 + b * abs(i - j)) for j in range(length)] for i in range(length)]
        for a, b in zip(r1.tolist(), r2.tolist(), strict=True)
    ]
    return torch.tensor(table)


def looked_up(length, r1, r2):
    by_distance = -r1[:, None] * torch.log1p(r2[:, None] * torch.arange(length))  # (H, L)
    p = torch.arange(length)
    return by_distance[:, (p[:, None] - p).abs()]


alternatives = [with_log, loop, looked_up]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is all that the task promises",
    "….mT": "the table is symmetric",
    "distance = (p[None, :] - p[:, None]).abs()"
    "  →  distance = (p[:, None] - p[None, :]).abs()": "the absolute value is even",
}
