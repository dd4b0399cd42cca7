"""Right answers to parts_ramp, written differently."""

import math

import torch


def where(omega, trained_length, alpha=1.0, beta=32.0):
    turns = trained_length / (2 * math.pi / omega)
    line = (turns - alpha) / (beta - alpha)
    line = torch.where(turns < alpha, torch.zeros_like(line), line)
    return torch.where(turns > beta, torch.ones_like(line), line)


def loop(omega, trained_length, alpha=1.0, beta=32.0):
    turns = [trained_length * w / math.tau for w in omega.tolist()]
    return torch.tensor([min(max((r - alpha) / (beta - alpha), 0.0), 1.0) for r in turns])


alternatives = [where, loop]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
