"""Right answers to mend_mean_perplexity, written differently."""

import math

import torch


def weights(losses, counts):
    return torch.exp(losses.double() @ (counts / counts.sum()).double())


def loop(losses, counts):
    total = sum(loss * n for loss, n in zip(losses.tolist(), counts.tolist(), strict=True))
    return torch.tensor(math.exp(total / int(counts.sum())))


alternatives = [weights, loop]

equivalent = {  # mutant → why it is right too
    "….float()": "losses are float32, and counts below 2^24",
    "….long()": "counts are integers",
    "….half().to(counts.dtype)": "exact for counts below 2048",
    "….exp().flip(-1)": "one number has no axes",
    "….exp().mT": "one number has no axes",
    "….exp().squeeze()": "one number has no axes",
}
