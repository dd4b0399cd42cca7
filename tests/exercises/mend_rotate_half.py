"""Right answers to mend_rotate_half, written differently."""

import torch


def sliced(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def rolled(x):
    half = x.shape[-1] // 2
    sign = torch.ones(x.shape[-1])
    sign[:half] = -1
    return sign * x.roll(half, dims=-1)


def multiplied_by_i(x):
    turned = torch.complex(*x.chunk(2, dim=-1)) * 1j
    return torch.cat((turned.real, turned.imag), dim=-1)


alternatives = [sliced, rolled, multiplied_by_i]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
