"""Right answers to clinic_frequency_buffer, written differently."""

import torch


def doubles(omega, at):
    pairs = torch.arange(len(omega), dtype=torch.float64)
    angles = at.double()[:, None] * 10000.0 ** (-pairs / len(omega))
    return torch.stack((angles.cos(), angles.sin())).to(omega.dtype)


def complex_numbers(omega, at):
    exact = torch.logspace(0, -4 * (len(omega) - 1) / len(omega), len(omega), dtype=torch.float64)
    turn = torch.exp(1j * at[:, None] * exact)
    return torch.stack((turn.real, turn.imag)).to(omega.dtype)


alternatives = [doubles, complex_numbers]
