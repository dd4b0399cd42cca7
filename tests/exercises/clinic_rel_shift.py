"""Right answers to clinic_rel_shift, written differently."""

import torch


def gathered(x):
    length = x.shape[-1]
    at = torch.arange(length)
    distance = (at[:, None] - at).clamp(min=0)
    return x.gather(2, (length - 1 - distance).expand(x.shape))


def row_by_row(x):
    length = x.shape[-1]
    out = torch.zeros_like(x)
    for i in range(length):
        out[:, i, : i + 1] = x[:, i, length - 1 - i :]
    return out


alternatives = [gathered, row_by_row]

equivalent = {
    "….float()": "the inputs are float32",
    "length = x.shape[2]  →  length = x.shape[1]": "x is (H, L, L)",
}
