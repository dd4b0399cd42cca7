"""Right answers to mend_mean_perplexity, written differently."""

import math

import torch


def weights(losses, counts):
    return torch.exp(losses.double() @ (counts / counts.sum()).double())


def loop(losses, counts):
    total = sum(loss * n for loss, n in zip(losses.tolist(), counts.tolist(), strict=True))
    return torch.tensor(math.exp(total / int(counts.sum())))


alternatives = [weights, loop]
