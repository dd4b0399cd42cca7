"""Right answers to clinic_sorted_columns, written differently."""

import torch


def filled(x, mask):
    d = x.shape[-1]
    angles = (mask.cumsum(1) - 1)[..., None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
    table = torch.empty_like(x)
    table[..., 0::2] = angles.sin()
    table[..., 1::2] = angles.cos()
    return x + table


def chosen(x, mask):
    channel = torch.arange(x.shape[-1])
    omega = 10000.0 ** (-(channel - channel % 2) / x.shape[-1])
    angles = (mask.cumsum(1) - 1)[..., None] * omega
    return x + torch.where(channel % 2 == 0, angles.sin(), angles.cos())


alternatives = [filled, chosen]
