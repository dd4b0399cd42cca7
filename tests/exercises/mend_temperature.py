"""Right answers to mend_temperature, written differently."""

import math

import torch


def on_the_scores(q, k, factor):
    return q @ k.mT * (0.1 * math.log(factor) + 1) ** 2 / q.shape[-1] ** 0.5


def einsum(q, k, factor):
    root = 1 + math.log(factor) / 10
    return torch.einsum("bhid,bhjd->bhij", q * root, k * root) / math.sqrt(q.shape[-1])


alternatives = [on_the_scores, einsum]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
