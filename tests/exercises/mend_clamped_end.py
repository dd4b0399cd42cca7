"""Right answers to mend_clamped_end, written differently."""

import torch


def first_kept(tokens, words, table):
    start = max(tokens.shape[1] - len(table), 0)
    last = tokens[:, start:]
    return words[last] + table[torch.arange(last.shape[1])]


def looked_up_first(tokens, words, table):
    x = words[tokens][:, -table.shape[0] :]
    return x + table[: x.shape[1]]


def loop(tokens, words, table):
    length = min(tokens.shape[1], len(table))
    columns = tokens.T[tokens.shape[1] - length :]
    return torch.stack([words[c] + row for c, row in zip(columns, table[:length], strict=True)], 1)


alternatives = [first_kept, looked_up_first, loop]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
    "….half().to(tokens.dtype)": "whole numbers as small as these are exact in float16",
    "….long()": "integers already, or a mask of 0 and 1",
}
