"""Right answers to clinic_sinusoidal_mask, written differently."""

import math

import torch


def divided(x, mask):
    d = x.shape[-1]
    at = (torch.cumsum(mask.long(), dim=1) - 1).unsqueeze(-1)
    angles = at / torch.pow(10000.0, torch.arange(0, d, 2) / d)
    table = torch.zeros_like(x)
    table[..., 0::2], table[..., 1::2] = angles.sin(), angles.cos()
    return x + table


def logarithm(x, mask):
    d = x.shape[-1]
    omega = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    angles = torch.einsum("bl,i->bli", (mask.cumsum(1) - 1).float(), omega)
    return torch.stack((x[..., ::2] + angles.sin(), x[..., 1::2] + angles.cos()), -1).flatten(2)


alternatives = [divided, logarithm]

equivalent = {  # mutant → why it is right too
    "….float()": "x is float32, and the mask is 0 or 1",
    "….half().to(mask.dtype)": "the mask is 0 or 1",
    "….long()": "the mask is 0 or 1",
}
