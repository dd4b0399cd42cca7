"""Right answers to alibi_head_slopes, written differently."""

import math

import torch


def recursive(heads):
    if math.log2(heads).is_integer():
        return torch.tensor([2 ** (-8 * h / heads) for h in range(1, heads + 1)])
    n = 2 ** math.floor(math.log2(heads))
    return torch.cat((recursive(n), recursive(2 * n)[0::2][: heads - n]))


def ratios(heads):
    n = 1
    while 2 * n <= heads:
        n *= 2
    exponents = torch.cat((torch.arange(1, n + 1) * 8 / n, torch.arange(1, 2 * n, 2) * 4 / n))
    return torch.exp2(-exponents[:heads])


def geometric(heads):
    n = 1 << (heads.bit_length() - 1)
    ratio, half = 2 ** (-8 / n), 2 ** (-4 / n)
    slopes = [ratio**h for h in range(1, n + 1)]
    slopes += [half * ratio**h for h in range(heads - n)]
    return torch.tensor(slopes, dtype=torch.float64)


alternatives = [recursive, ratios, geometric]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
