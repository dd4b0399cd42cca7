"""Right answers to rope_decode_step, written differently."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def complex_numbers(q, k, v, keys, values, position, omega):
    turn = torch.exp(1j * torch.outer(position.double(), omega.double()))[:, None, None]

    def turned(x):
        z = torch.complex(*x.double().chunk(2, dim=-1)) * turn
        return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)

    keys, values = torch.cat((keys, turned(k)), -2), torch.cat((values, v), -2)
    return scaled_dot_product_attention(turned(q), keys, values), keys, values


def row_by_row(q, k, v, keys, values, position, omega):
    dim = q.shape[-1]
    rows = []
    for row, p in enumerate(position.tolist()):
        matrix = torch.zeros(dim, dim)
        for i, w in enumerate(omega.tolist()):
            c, s = torch.tensor(p * w).cos(), torch.tensor(p * w).sin()
            matrix[i, i] = matrix[i + dim // 2, i + dim // 2] = c
            matrix[i, i + dim // 2], matrix[i + dim // 2, i] = -s, s
        grown = torch.cat((keys[row], k[row] @ matrix.T), dim=1)
        seen = torch.cat((values[row], v[row]), dim=1)
        scores = torch.einsum("hid,hjd->hij", q[row] @ matrix.T, grown) / dim**0.5
        rows.append((scores.softmax(-1) @ seen, grown, seen))
    return tuple(torch.stack(column) for column in zip(*rows, strict=True))


alternatives = [complex_numbers, row_by_row]

equivalent = {
    "….float()": "float32 is all that the task promises",
    "….long()": "integers already",
}
