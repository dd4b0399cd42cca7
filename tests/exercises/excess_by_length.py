"""Right answers to excess_by_length, written differently."""

import torch


def by_number_of_the_byte(long, short, lengths):
    half = short.shape[1] // 2
    byte = torch.arange(long.numel()).view_as(long)
    window = byte // half - 1  # in whose second half it stands
    excess = long - short[window.clamp(min=0), byte - window * half - (window < 0) * half]
    means = []
    for length in lengths:
        late = slice(length // 2, length)
        means.append(excess[:, late][window[:, late] >= 0].mean())
    return torch.stack(means)


def written_into_a_text(long, short, lengths):
    half = short.shape[1] // 2
    control = torch.full((long.numel() + short.numel(),), torch.nan, dtype=torch.float64)
    for start, window in enumerate(short):
        control[(start + 1) * half : (start + 2) * half] = window[half:]
    excess = (long - control[: long.numel()].reshape(long.shape)).nansum(0)
    counts = (~control[: long.numel()].reshape(long.shape).isnan()).sum(0)
    ends = [(length // 2, length) for length in lengths]
    return torch.tensor([float(excess[a:b].sum() / counts[a:b].sum()) for a, b in ends])


alternatives = [by_number_of_the_byte, written_into_a_text]
