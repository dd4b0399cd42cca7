"""Right answers to two_layer_weights, written differently."""

import torch


def harmonic(length):
    steps = [1 / (t + 1) for t in range(length)]
    return torch.tensor([sum(steps[s:]) / length for s in range(length)])


def reversed_sum(length):
    steps = 1 / torch.arange(1, length + 1, dtype=torch.float64)
    return (steps.flip(0).cumsum(0).flip(0) / length).float()


def unit_inputs(length):
    x = torch.eye(length)
    count = torch.arange(1, length + 1)[:, None]
    for _ in range(2):
        x = x.cumsum(0) / count
    return x[-1]


def softmax(length):
    scores = torch.zeros(length, length).masked_fill(torch.ones(length, length).triu(1) > 0, -1e9)
    layer = scores.softmax(dim=-1)
    return layer[length - 1] @ layer


alternatives = [harmonic, reversed_sum, unit_inputs, softmax]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
