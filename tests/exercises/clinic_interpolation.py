"""Right answers to clinic_interpolation, written differently."""

import torch


def slower(at, dim, factor=1.0, dtype=torch.float32):
    omega = 10000.0 ** (-torch.arange(0, dim, 2) / dim) / factor
    angles = torch.einsum("bl,i->bli", at.float(), omega)
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


def complex_numbers(at, dim, factor=1.0, dtype=torch.float32):
    omega = 10000.0 ** (-torch.arange(0, dim, 2) / dim)
    turn = torch.exp(1j * (at / factor)[..., None] * omega)
    return torch.stack((turn.real, turn.imag)).to(dtype)


alternatives = [slower, complex_numbers]

equivalent = {  # mutant → why it is right too
    "….float()": "exact for positions below 2^24",
    "….long()": "positions are integers",
}
