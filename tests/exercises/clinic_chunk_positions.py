"""Right answers to clinic_chunk_positions, written differently."""

import torch


def counted(lengths):
    return torch.arange(sum(lengths))


def accumulated(lengths):
    starts = torch.tensor([0, *lengths]).cumsum(0)
    pieces = [start + torch.arange(length) for start, length in zip(starts, lengths, strict=False)]
    return torch.cat(pieces)


alternatives = [counted, accumulated]
