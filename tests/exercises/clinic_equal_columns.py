"""Right answers to clinic_equal_columns, written differently."""

import torch


def floats(x, mask):
    d = x.shape[-1]
    omega = 10000.0 ** -torch.arange(0.0, 1.0, 2 / d)[: d // 2]
    angles = (mask.cumsum(1) - 1)[..., None] * omega
    return x + torch.stack((angles.sin(), angles.cos()), dim=3).flatten(2)


def loop(x, mask):
    at, d = mask.cumsum(1) - 1, x.shape[-1]
    columns = []
    for i in range(d // 2):
        angle = at * 10000.0 ** (-2 * i / d)
        columns += [angle.sin(), angle.cos()]
    return x + torch.stack(columns, dim=2)


alternatives = [floats, loop]
