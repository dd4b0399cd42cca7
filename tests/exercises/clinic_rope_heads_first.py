"""Right answers to clinic_rope_heads_first, written differently."""

import torch


def _angles(x, start):
    D = x.shape[3]
    omega = 10000.0 ** (-torch.arange(0, D, 2) / D)
    return torch.arange(start, start + x.shape[2])[:, None] * omega


def rotate_half(q, k, start=0):
    angles = _angles(q, start).repeat(1, 2)
    half = q.shape[3] // 2

    def turned(x):
        other = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
        return x * angles.cos() + other * angles.sin()

    return turned(q), turned(k)


def complex_numbers(q, k, start=0):
    turn = torch.exp(1j * _angles(q, start))
    z = torch.complex(*torch.stack((q, k)).chunk(2, dim=-1)) * turn
    return tuple(torch.cat((z.real, z.imag), dim=-1).unbind())


alternatives = [rotate_half, complex_numbers]

equivalent = {  # mutant → why it is right too
    "….float()": "the inputs are float32",
}
