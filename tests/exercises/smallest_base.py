"""Right answers to smallest_base, written differently."""

import math

import torch


def sorted_and_stopped(bases, dim, length):
    distances, rest = torch.arange(length).double(), sorted(bases)
    while True:
        base = rest.pop(0)
        omega = torch.tensor([base ** (-2 * i / dim) for i in range(dim // 2)]).double()
        if bool((torch.outer(distances, omega).cos().sum(dim=-1) >= 0).all()):
            return base


def real_part(bases, dim, length):
    k = torch.arange(length, dtype=torch.float64)
    i = torch.arange(0, dim, 2, dtype=torch.float64)

    def carries(base):
        omega = torch.exp(-math.log(base) * i / dim)
        return (
            torch.polar(torch.ones(len(k), len(i)).double(), k[:, None] * omega).sum(1).real.min()
        )

    return torch.tensor([base for base in bases if carries(base) >= 0]).min().item()


alternatives = [sorted_and_stopped, real_part]

equivalent = {
    "carry = [b for b in bases if (k * b ** (-2 * i / dim)).cos().sum(1).min() >= 0]  →  "
    "carry = [b for b in bases if (k * b ** (-2 * i / dim)).cos().sum(1).min() > 0]": "no sum is 0",
    "k = torch.arange(length, dtype=torch.float64)[:, None]  →  "
    "k = torch.arange(length, dtype=torch.float64)[1:, None]": "at distance 0 the sum is d/2",
}
