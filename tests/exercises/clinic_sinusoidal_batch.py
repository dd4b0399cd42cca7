"""Right answers to clinic_sinusoidal_batch, written differently."""

import torch


def row_by_row(x, mask):
    d = x.shape[-1]
    omega = 10000.0 ** (-torch.arange(0, d, 2) / d)
    out = x.clone()
    for row, seen in zip(out, mask, strict=True):
        angles = torch.arange(int(seen.sum()))[:, None] * omega
        row[seen] += torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
    return out


def from_the_right(x, mask):
    length, d = x.shape[1:]
    at = torch.arange(length) - (length - mask.sum(1, keepdim=True))  # columns less padding
    angles = at[..., None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
    return x + torch.stack((angles.sin(), angles.cos()), -1).flatten(2)


alternatives = [row_by_row, from_the_right]
