"""Right answers to mend_rotated_values, written differently."""

import torch


def complex_rotation(q, k, v, start=0):
    *_, length, dim = q.shape
    omega = 10000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    turn = torch.exp(1j * torch.arange(start, start + length).double()[:, None] * omega)

    def rotate(x):
        turned = torch.complex(*x.double().chunk(2, dim=-1)) * turn
        return torch.cat((turned.real, turned.imag), dim=-1)

    scores = rotate(q) @ rotate(k).transpose(-1, -2) / dim**0.5
    mask = torch.ones(length, length).triu(1).bool()
    return (scores.masked_fill(mask, -torch.inf).softmax(-1) @ v.double()).to(v.dtype)


def by_distance(q, k, v, start=0):
    *_, length, dim = q.shape
    omega = 10000.0 ** (-torch.arange(0, dim, 2) / dim)
    distance = torch.arange(length) - torch.arange(length)[:, None]  # key - query
    angles = distance[..., None] * omega  # (L, L, D/2)
    (qa, qb), (ka, kb) = (x.chunk(2, dim=-1) for x in (q, k))
    dot = torch.einsum("bhid,bhjd,ijd->bhij", qa, ka, angles.cos())
    dot = dot + torch.einsum("bhid,bhjd,ijd->bhij", qb, kb, angles.cos())
    cross = torch.einsum("bhid,bhjd,ijd->bhij", qa, kb, angles.sin())
    cross = cross - torch.einsum("bhid,bhjd,ijd->bhij", qb, ka, angles.sin())
    scores = ((dot - cross) / dim**0.5).masked_fill(distance > 0, -torch.inf)
    return scores.softmax(-1) @ v


alternatives = [complex_rotation, by_distance]

equivalent = {  # mutant → why it is right too
    "def mend_rotated_values(q, k, v, start=0):"
    "  →  def mend_rotated_values(q, k, v, start=1):": "the output does not know the start",
    "def mend_rotated_values(q, k, v, start=0):"
    "  →  def mend_rotated_values(q, k, v, start=-1):": "the output does not know the start",
    "length, dim = q.shape[-2:]  →  length, dim = q.shape[2:]": "of four axes",
    "return torch.cat((a * c - b * s, a * s + b * c), dim=-1)"
    "  →  return torch.cat((b * s - a * c, a * s + b * c), dim=-1)": "q and k are mirrored alike",
}
