"""Right answers to rope_score, written differently."""

import torch


def complex_product(q, k, distances, base=10000.0):
    omega = base ** (-torch.arange(0, len(q), 2, dtype=torch.float64) / len(q))
    q, k = (torch.view_as_complex(x.double().view(-1, 2)) for x in (q, k))
    turned = torch.exp(1j * distances.double()[:, None] * omega) * k
    return (q.conj() * turned).sum(-1).real


def really_rotated(q, k, distances, base=10000.0):
    omega = base ** (-torch.arange(0, len(q), 2) / len(q))
    angles = distances[:, None] * omega
    a, b = k[0::2], k[1::2]
    first, second = a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()
    return torch.stack((first, second), dim=-1).flatten(-2) @ q


def amplitude_and_phase(q, k, distances, base=10000.0):
    omega = base ** (-torch.arange(0, len(q), 2) / len(q))
    product = torch.view_as_complex(q.view(-1, 2)).conj() * torch.view_as_complex(k.view(-1, 2))
    return (product.abs() * (distances[:, None] * omega + product.angle()).cos()).sum(-1)


def matrix_product(q, k, distances, base=10000.0):
    omega = base ** (-torch.arange(0, len(q), 2, dtype=torch.float64) / len(q))
    angles = torch.outer(distances.double(), omega)
    (a, b), (c, d) = q.view(-1, 2).T, k.view(-1, 2).T
    return angles.cos() @ (a * c + b * d) - angles.sin() @ (a * d - b * c)


alternatives = [complex_product, really_rotated, amplitude_and_phase, matrix_product]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is as good as the task needs",
    "return (dot * angles.cos() - cross * angles.sin()).sum(-1)"
    "  →  return (dot * angles.cos() - cross * angles.sin()).sum(1)": "axis 1 is the last",
}
