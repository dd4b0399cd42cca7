"""Right answers to patch_angles, written differently."""

import math

import torch


def meshgrid(height, width, dim, base=10000.0):
    omega = base ** (-torch.arange(0, dim, 4, dtype=torch.float64) / dim)
    axes = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    return torch.cat([axis.flatten()[:, None] * omega for axis in axes], dim=-1)


def loop(height, width, dim, base=10000.0):
    angles = torch.zeros(height, width, dim // 2, dtype=torch.float64)
    for i in range(dim // 4):
        omega = math.exp(-4 * i / dim * math.log(base))
        for row in range(height):
            for column in range(width):
                angles[row, column, i] = row * omega
                angles[row, column, dim // 4 + i] = column * omega
    return angles.view(-1, dim // 2)


def product(height, width, dim, base=10000.0):
    at = torch.cartesian_prod(torch.arange(height), torch.arange(width)).double()  # (N, 2)
    omega = base ** (-4 * torch.arange(dim // 4) / dim)
    return torch.einsum("na,i->nai", at, omega.double()).flatten(1)


alternatives = [meshgrid, loop, product]

equivalent = {  # mutant → why it is right too
    "….float()": "it is float32 already",
}
