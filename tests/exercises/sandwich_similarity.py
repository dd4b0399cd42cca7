"""Right answers to sandwich_similarity, written differently."""

import torch


def of_tables(length, heads, dim):
    n = torch.arange(1, dim // 2 + 1, dtype=torch.float64)
    angles = torch.arange(length)[:, None] * 10000.0 ** (-2 * n / dim)
    table = torch.cat((angles.sin(), angles.cos()), dim=-1)  # a sinusoidal table without n = 0
    scale = 8 * torch.arange(1, heads + 1, dtype=torch.float64) / heads
    return ((table @ table.T - dim / 2) / scale[:, None, None]).float()


def one_wave_at_a_time(length, heads, dim):
    p = torch.arange(length, dtype=torch.float64)
    total = torch.zeros(length, length, dtype=torch.float64)
    for n in range(1, dim // 2 + 1):
        total += ((p - p[:, None]) / 10000 ** (2 * n / dim)).cos() - 1
    return torch.stack([total * heads / (8 * h) for h in range(1, heads + 1)])


def complex_waves(length, heads, dim):
    omega = 10000.0 ** (-2 * torch.arange(1, dim // 2 + 1, dtype=torch.float64) / dim)
    waves = torch.polar(torch.ones(1, dtype=torch.float64), torch.arange(length)[:, None] * omega)
    penalty = (waves @ waves.conj().T).real - dim / 2
    return torch.einsum("ij,h->hij", penalty, heads / 8 / torch.arange(1.0, heads + 1).double())


alternatives = [of_tables, one_wave_at_a_time, complex_waves]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is all that the task promises",
    "….mT": "the table is symmetric",
    "return (penalty / scale[:, None, None]).float()  →  return penalty / scale[:, None, None]": (
        "float64 is not forbidden"
    ),
    "angles = (p[None, :] - p[:, None])[..., None] * 10000.0 ** (-2 * n / dim)"
    "  →  angles = (p[:, None] - p[None, :])[..., None] * 10000.0 ** (-2 * n / dim)": "even",
}
