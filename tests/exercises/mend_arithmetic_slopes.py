"""Right answers to mend_arithmetic_slopes, written differently."""

import torch


def powers(heads):
    return torch.full((heads,), 2 ** (-8 / heads)).cumprod(0)


def logspace(heads):
    return torch.logspace(-8 / heads, -8, heads, base=2.0)


def loop(heads):
    return torch.tensor([2 ** (-8 * (h + 1) / heads) for h in range(heads)])


alternatives = [powers, logspace, loop]
