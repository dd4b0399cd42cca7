"""Right answers to log_n_factors, written differently."""

import math

import torch


def loop(positions, trained_length):
    return torch.tensor([max(1.0, math.log(p + 1, trained_length)) for p in positions.tolist()])


def from_the_stretch(positions, trained_length):
    stretch = ((positions.double() + 1) / trained_length).clamp(min=1)
    return 1 + stretch.log() / math.log(trained_length)


alternatives = [loop, from_the_stretch]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is all that the task promises",
    "….long()": "positions are integers",
}
