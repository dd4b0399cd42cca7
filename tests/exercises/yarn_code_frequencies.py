"""Right answers to yarn_code_frequencies, written differently."""

import math

import torch


def as_published(dim, factor, trained_length, base=10000.0):  # jquesnelle/yarn
    powers = base ** (torch.arange(0, dim, 2).float() / dim)

    def correction(rotations):
        return (dim * math.log(trained_length / (rotations * 2 * math.pi))) / (2 * math.log(base))

    low, high = max(math.floor(correction(32)), 0), min(math.ceil(correction(1)), dim - 1)
    ramp = torch.clamp((torch.arange(dim // 2, dtype=torch.float32) - low) / (high - low), 0, 1)
    mask = 1 - ramp
    return 1 / (factor * powers) * (1 - mask) + 1 / powers * mask


def loop(dim, factor, trained_length, base=10000.0):
    step = base ** (2 / dim)  # from one pair to the next
    first = math.floor(math.log(trained_length / math.tau / 32, step))
    last = math.ceil(math.log(trained_length / math.tau, step))
    frequencies = []
    for i in range(dim // 2):
        divided = min(max((i - first) / (last - first), 0), 1)
        frequencies.append(step**-i * (1 - divided + divided / factor))
    return torch.tensor(frequencies, dtype=torch.float64)


def counted(dim, factor, trained_length, base=10000.0):
    i = torch.arange(dim, dtype=torch.float64)  # more than there are pairs
    turns = trained_length * base ** (-2 * i / dim) / math.tau
    first = int((turns > 32).sum()) - 1  # the last that turns more often
    last = int((turns >= 1).sum())  # the first that turns less than once
    slow = (i[: dim // 2] - first).clamp(0, last - first) / (last - first)
    omega = base ** (-2 * i[: dim // 2] / dim)
    return torch.lerp(omega, omega / factor, slow)


alternatives = [as_published, loop, counted]

equivalent = {
    "….float()": "the task promises no dtype, and float32 is within the tolerance",
    "….squeeze()": "dim is at least 16, so that no axis has size 1",
}
