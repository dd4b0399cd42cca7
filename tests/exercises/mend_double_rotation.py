"""Right answers to mend_double_rotation, written differently."""

import torch


def complex_numbers(keys, k, position, omega):
    turn = torch.polar(
        torch.ones(len(position), len(omega), dtype=torch.float64),
        torch.outer(position.double(), omega.double()),
    )
    z = torch.complex(*k.double().chunk(2, dim=-1)) * turn
    return torch.cat((keys, torch.cat((z.real, z.imag), dim=-1).to(keys.dtype)), dim=-2)


def pair_by_pair(keys, k, position, omega):
    half, turned = k.shape[-1] // 2, torch.empty_like(k)
    for i in range(half):
        c, s = (position * omega[i]).cos(), (position * omega[i]).sin()  # (new,)
        turned[..., i] = k[..., i] * c - k[..., i + half] * s
        turned[..., i + half] = k[..., i] * s + k[..., i + half] * c
    return torch.cat([keys, turned], dim=2)


alternatives = [complex_numbers, pair_by_pair]

equivalent = {
    "….float()": "float32 is all that the task promises",
    "….long()": "integers already",
}
