"""Right answers to rope_checkpoint, written differently."""

import torch


def by_view(weight, heads):
    rows, width = weight.shape
    pairs = weight.view(heads, rows // heads // 2, 2, width)
    return pairs.transpose(1, 2).reshape(rows, width)


def by_head(weight, heads):
    return torch.cat([torch.cat((head[0::2], head[1::2])) for head in weight.chunk(heads)])


def by_permutation_matrix(weight, heads):
    dim = weight.shape[0] // heads
    order = [
        head * dim + row
        for head in range(heads)
        for start in (0, 1)
        for row in range(start, dim, 2)
    ]
    return torch.eye(len(order))[order] @ weight


alternatives = [by_view, by_head, by_permutation_matrix]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is all that the task promises",
    "return pairs.transpose(1, 2).reshape(rows, width)"
    "  →  return pairs.transpose(2, 1).reshape(rows, width)": "a swap has no direction",
}
