"""Right answers to length_sweep, written differently."""

import torch


def running_sums(excess, lengths):
    ends = torch.tensor(lengths)
    upto = torch.cat((torch.zeros(1, dtype=torch.float64), excess.double().mean(0).cumsum(0)))
    return (upto[ends] - upto[ends // 2]) / (ends - ends // 2)


def loop(excess, lengths):
    rows = []
    for length in lengths:
        seen = [column.mean() for column in excess.T[length // 2 : length]]
        rows.append(sum(seen) / len(seen))
    return torch.tensor([float(row) for row in rows])


alternatives = [running_sums, loop]
