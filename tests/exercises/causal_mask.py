"""Right answers to causal_mask, written differently."""

import torch


def compare(length):
    place = torch.arange(length)
    return place[None, :] <= place[:, None]


def not_upper(length):
    return ~torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=1)


def loop(length):
    return torch.tensor([[j <= i for j in range(length)] for i in range(length)])


def additive(length):
    return torch.full((length, length), float("-inf")).triu(1) == 0


alternatives = [compare, not_upper, loop, additive]
