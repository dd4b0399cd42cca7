"""Right answers to rotate_pair, written differently."""

import math

import torch


def complex_product(x, angles):
    turned = torch.view_as_complex(x.contiguous()) * torch.exp(1j * angles)
    return torch.view_as_real(turned)


def matrices(x, angles):
    c, s = angles.cos(), angles.sin()
    rotation = torch.stack((torch.stack((c, -s), -1), torch.stack((s, c), -1)), -2)  # (N, 2, 2)
    return torch.einsum("nij,nj->ni", rotation, x)


def loop(x, angles):
    rows = []
    for (a, b), angle in zip(x.tolist(), angles.tolist(), strict=True):
        c, s = math.cos(angle), math.sin(angle)
        rows.append([a * c - b * s, a * s + b * c])
    return torch.tensor(rows)


alternatives = [complex_product, matrices, loop]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is all that the task promises",
    "return torch.stack((a * c - b * s, a * s + b * c), dim=-1)"
    "  →  return torch.stack((a * c - b * s, a * s + b * c), dim=1)": "axis 1 is the last",
}
