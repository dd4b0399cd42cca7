"""Right answers to clinic_alibi_slopes, written differently."""

import torch


def ratio(length, heads):
    first = 2.0 ** (-8 / heads)
    slopes = torch.full((heads,), first).cumprod(0)
    relative = torch.arange(length) - torch.arange(length)[:, None]
    return torch.einsum("h,ij->hij", -slopes, relative.abs().float())


def loop(length, heads):
    bias = torch.zeros(heads, length, length)
    for h in range(heads):
        for i in range(length):
            bias[h, i] = -(0.5 ** (8 * (h + 1) / heads)) * (torch.arange(length) - i).abs()
    return bias


alternatives = [ratio, loop]

equivalent = {
    (
        "return -slopes[:, None, None] * (at[:, None] - at).abs()  →  return -slopes[:, "
        "None, None] * (at - at[:, None]).abs()"
    ): "the distance has no sign",
}
