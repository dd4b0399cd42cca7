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

UNREAD = "of omega only length and dtype matter"
equivalent = {  # mutant → why it is right too
    "…at = at.float()": "exact for positions below 2^24",
    "….long()": "positions are integers",
    "…  omega = omega.half().to(omega.dtype)": UNREAD,
    "…  omega = omega[..., :1] + torch.arange(omega.shape[-1], dtype=omega.dtype)": UNREAD,
    "…  omega = omega[:1].expand(omega.shape)": UNREAD,
    "…  omega = torch.arange(omega.shape[-1], dtype=omega.dtype).expand(omega.shape)": UNREAD,
}
