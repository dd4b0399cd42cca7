"""Right answers to values_turned_back, written differently."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention


def _angles(length, dim, start):
    omega = 10000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    return torch.arange(start, start + length)[:, None] * omega


def rotate_half(q, k, v, start=0):
    angles = _angles(*q.shape[-2:], start).repeat(1, 2)
    cos, sin = angles.cos().to(v.dtype), angles.sin().to(v.dtype)

    def turned(x, sign=1):
        a, b = x.chunk(2, dim=-1)
        return x * cos + sign * torch.cat((-b, a), dim=-1) * sin

    return turned(scaled_dot_product_attention(turned(q), turned(k), turned(v)), -1)


def as_complex_numbers(q, k, v, start=0):
    turn = torch.exp(1j * _angles(*q.shape[-2:], start))
    qs, ks, vs = (torch.complex(*x.double().chunk(2, dim=-1)) * turn for x in (q, k, v))
    weights = ((qs.conj() @ ks.mT).real / math.sqrt(q.shape[-1])).softmax(-1)
    out = (weights.to(vs.dtype) @ vs) * turn.conj()
    return torch.cat((out.real, out.imag), dim=-1).to(v.dtype)


alternatives = [rotate_half, as_complex_numbers]

equivalent = {  # mutant → why it is right too
    "def values_turned_back(q, k, v, start=0):"
    "  →  def values_turned_back(q, k, v, start=1):": "where the text begins changes nothing",
    "def values_turned_back(q, k, v, start=0):"
    "  →  def values_turned_back(q, k, v, start=-1):": "where the text begins changes nothing",
    "length, dim = q.shape[-2:]  →  length, dim = q.shape[2:]": "q has four axes",
}
