"""Right answers to rel_shift_rows, written differently."""

import torch
from torch.nn.functional import pad


def official(x):  # kimiyoung/transformer-xl
    zeros = torch.zeros(x.shape[0], 1)
    padded = torch.cat((zeros, x), dim=1).view(x.shape[1] + 1, x.shape[0])
    return padded[1:].view_as(x)


def by_index(x):
    queries, keys = x.shape
    column = torch.arange(keys) - torch.arange(queries)[:, None] + queries - 1
    return x.gather(1, column.clamp(max=keys - 1))


def rolled(x):
    return torch.stack([row.roll(i - len(x) + 1) for i, row in enumerate(x)])


def strided(x):
    queries, keys = x.shape
    padded = pad(x, (0, queries)).contiguous()
    return padded.as_strided((queries, keys), (keys + queries - 1, 1), queries - 1)


alternatives = [official, by_index, rolled, strided]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
