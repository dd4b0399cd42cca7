"""Right answers to mend_column_first, written differently."""

import torch


def divided(height, width):
    patch = torch.arange(height * width)
    return torch.stack((patch // width, patch % width))


def repeated(height, width):
    rows = torch.arange(height).repeat_interleave(width)
    return torch.stack((rows, torch.arange(width).repeat(height)))


def product(height, width):
    return torch.cartesian_prod(torch.arange(height), torch.arange(width)).T


alternatives = [divided, repeated, product]

equivalent = {  # mutant → why it is right too
    "….int()": "integers of any type",
}
