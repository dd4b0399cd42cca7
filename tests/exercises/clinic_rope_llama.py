"""Right answers to clinic_rope_llama, written differently."""

import torch


def by_rows(weight, heads):
    D = len(weight) // heads
    out = weight.clone()
    for row in range(len(weight)):
        if row % D >= D // 2:
            out[row] = -weight[row]
    return out


def first_half(weight, heads):  # the other axis of the mirror
    D = len(weight) // heads
    sign = torch.ones(D).masked_fill(torch.arange(D) < D // 2, -1.0).repeat(heads)
    return (sign[:, None] * weight).to(weight.dtype)


def halves_exchanged(weight, heads):  # a mirror along the diagonal: (a, b) goes to (b, a)
    return weight.unflatten(0, (heads, 2, -1)).flip(1).flatten(0, 2)


alternatives = [by_rows, first_half, halves_exchanged]
