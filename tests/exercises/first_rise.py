"""Right answers to first_rise, written differently."""

import math

import torch


def doubling(dim, base=10000.0):
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    length = 8
    while True:
        dots = torch.cos(torch.outer(torch.arange(length, dtype=torch.float64), omega)).sum(1)
        rises = (dots[1:] > dots[:-1]).nonzero()
        if len(rises):
            return rises[0, 0].item() + 1
        length *= 2


def plain_python(dim, base=10000.0):
    omega = [base ** (-2 * i / dim) for i in range(dim // 2)]
    before, k = float(dim // 2), 1
    while (now := math.fsum(math.cos(k * w) for w in omega)) <= before:
        before, k = now, k + 1
    return k


def by_difference(dim, base=10000.0):
    # cos(kω) - cos((k-1)ω) = -2 sin((k - 1/2)ω) sin(ω/2), summed: a rise is where this is positive
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    k = 1
    while ((k - 0.5) * omega).sin() @ (omega / 2).sin() >= 0:
        k += 1
    return torch.tensor(k)


alternatives = [doubling, plain_python, by_difference]

equivalent = {  # mutant → why it is right too
    "k = 1  →  k = 2": "S(0) is the maximum, so S never rises at k = 1",
    "while s(k) <= s(k - 1):  →  while s(k) < s(k - 1):": "S is never the same twice in a row",
    "while s(k) <= s(k - 1):  →  while s(k) <= s(1 - k):": "the cosine is even: S(-k) = S(k)",
    "….squeeze()": "a single number has no axes",
    "….mT": "a single number has no axes",
    "….flip(-1)": "a single number has no axes",
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
