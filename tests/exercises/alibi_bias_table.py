"""Right answers to alibi_bias_table, written differently."""

import torch


def by_einsum(length, slopes):
    p = torch.arange(length, dtype=torch.float32)
    return torch.einsum("h,ij->hij", slopes, p - p[:, None])


def loop(length, slopes):
    rows = [[[m * (j - i) for j in range(length)] for i in range(length)] for m in slopes.tolist()]
    return torch.tensor(rows)


def outer(length, slopes):
    ruler = torch.outer(slopes, torch.arange(length))  # (H, L): +m j
    return ruler[:, None, :] - ruler[:, :, None]


alternatives = [by_einsum, loop, outer]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
