"""Right answers to mend_shift_ahead, written differently."""

import torch
from torch.nn.functional import pad


def read_again(x):
    length = len(x)
    wide = pad(x, (1, 0))  # columns for query - key = L … -(L - 1)
    return wide.flatten()[length:].view(length, 2 * length - 1)[:, :length]


def row_by_row(x):
    length = len(x)
    return torch.stack([x[i, length - 1 - i :][:length] for i in range(length)])


def cut_and_read_again(x):  # as XLNet, for one column less
    length = len(x)
    narrow = x.flatten()[length - 1 : -1].view(length, 2 * length - 2)
    return narrow[:, :length]


alternatives = [read_again, row_by_row, cut_and_read_again]

equivalent = {  # mutant → why it is right too
    "….squeeze()": "no axis has size 1: L ≥ 2",
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
