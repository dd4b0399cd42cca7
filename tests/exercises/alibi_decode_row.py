"""Right answers to alibi_decode_row, written differently."""

import torch


def last_row(cached, slopes):
    p = torch.arange(cached + 1)
    return slopes[:, None, None] * (p - cached)[None, None]


def loop(cached, slopes):
    return torch.tensor([[[m * (j - cached) for j in range(cached + 1)]] for m in slopes.tolist()])


def outer(cached, slopes):
    return -torch.outer(slopes, torch.arange(cached, -1, -1))[:, None]


alternatives = [last_row, loop, outer]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
