"""Right answers to evict_and_shift, written differently."""

import torch


def complex_numbers(keys, positions, sinks, window, omega):
    columns = [c for c in range(len(positions)) if c < sinks or len(positions) - c <= window]
    turn = torch.exp(
        1j * torch.outer(torch.arange(len(columns)) - positions[columns], omega).double()
    )
    z = torch.complex(*keys[:, :, columns].double().chunk(2, dim=-1)) * turn
    return torch.cat((z.real, z.imag), dim=-1).to(keys.dtype), torch.arange(len(columns))


def back_and_forth(keys, positions, sinks, window, omega):
    def turned(x, at):
        c, s = (at[:, None] * omega).cos(), (at[:, None] * omega).sin()
        a, b = x.split(x.shape[-1] // 2, dim=-1)
        return torch.cat((a * c - b * s, a * s + b * c), dim=-1)

    length = len(positions)
    mask = torch.ones(length, dtype=torch.bool)
    mask[sinks : max(sinks, length - window)] = False
    new = mask.cumsum(0)[mask] - 1
    return turned(turned(keys[:, :, mask], -positions[mask]), new), new


alternatives = [complex_numbers, back_and_forth]

equivalent = {
    "….float()": "float32 is all that the task promises",
    "….long()": "integers already",
}
