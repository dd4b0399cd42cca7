"""Right answers to sinusoidal_layout, written differently."""

import torch


def transposed(dim):
    return torch.arange(dim).view(-1, 2).T.flatten()


def loop(dim):
    return torch.tensor([2 * c if c < dim // 2 else 2 * (c - dim // 2) + 1 for c in range(dim)])


def sorted_by_parity(dim):
    return torch.argsort(torch.arange(dim) % 2, stable=True)


alternatives = [transposed, loop, sorted_by_parity]

equivalent = {  # mutant → why it is right too
    "….squeeze()": "no axis has size 1: dim is even",
    "….int()": "int32 chooses rows as well; the text promises no more than integers",
}
