"""Right answers to mend_opt_rows, written differently."""

import torch


def as_in_opt(mask, table):
    positions = mask.long().cumsum(1) * mask - 1
    return table[positions.long() + 2]


def where(mask, table):
    rows = torch.where(mask.bool(), mask.long().cumsum(1) + 1, 1)
    return torch.nn.functional.embedding(rows, table)


def loop(mask, table):
    out = []
    for row in mask.tolist():
        at = 2
        for token in row:
            out.append(table[at] if token else table[1])
            at += bool(token)
    return torch.stack(out).view(*mask.shape, -1)


alternatives = [as_in_opt, where, loop]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
    "rows = mask.long().cumsum(1) * mask.long() + 1"
    "  →  rows = mask.long().cumsum(1) * mask + 1": "an int64 with a bool is int64",
    "rows = mask.long().cumsum(1) * mask.long() + 1"
    "  →  rows = mask.cumsum(1) * mask.long() + 1": "an int64 with a bool is int64",
    "….half().to(mask.dtype)": "whole numbers as small as these are exact in float16",
    "….long()": "integers already, or a mask of 0 and 1",
}
