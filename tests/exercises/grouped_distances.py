"""Right answers to grouped_distances, written differently."""

import torch


def loop(length, window, group):
    def seen(i, j):
        return j - i if i - j < window else j // group - i // group - window + window // group

    return torch.tensor([[seen(i, j) for j in range(length)] for i in range(length)])


def from_positions(length, window, group):
    p = torch.arange(length)
    relative = p - p[:, None]
    groups = p.div(group, rounding_mode="floor")
    far = groups - (groups[:, None] + window - window // group)
    return relative.where(relative > -window, far)


alternatives = [loop, from_positions]

equivalent = {  # mutant → why it is right too
    "….int()": "the task says integers, not which",
}
