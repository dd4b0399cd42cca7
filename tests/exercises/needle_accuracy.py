"""Right answers to needle_accuracy, written differently."""

import torch


def accumulated(predictions, answers, depths, lengths):
    """Add each trial to the entry where it belongs."""
    rows, row = lengths.unique(return_inverse=True)
    columns, column = depths.unique(return_inverse=True)
    both = torch.zeros(2, len(rows), len(columns))
    hits_and_trials = torch.stack(((predictions == answers).float(), torch.ones(len(row))))
    for sums, values in zip(both, hits_and_trials, strict=True):
        sums.index_put_((row, column), values, accumulate=True)
    return both[0] / both[1]


def counted_by_number(predictions, answers, depths, lengths):
    """Give every entry one number and count the numbers."""
    rows, row = lengths.unique(return_inverse=True)
    columns, column = depths.unique(return_inverse=True)
    entry, size = row * len(columns) + column, len(rows) * len(columns)
    trials = entry.bincount(minlength=size)
    hits = entry[predictions == answers].bincount(minlength=size)
    return (hits / trials).view(len(rows), len(columns))


alternatives = [accumulated, counted_by_number]

equivalent = {  # mutant → why it is right too
    "….float()": "what it makes float32 is so, or small enough to be exact",
    "….long()": "integers already",
    "right = (predictions == answers).float()  →  right = predictions == answers": "the product "
    "with a row of 0 and 1 makes it float",
}
