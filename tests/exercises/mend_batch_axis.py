"""Right answers to mend_batch_axis, written differently."""

import math

import torch


def logarithm(x, base=10000.0):
    _, length, dim = x.shape
    omega = torch.exp(torch.arange(0, dim, 2) * (-math.log(base) / dim))
    table = torch.zeros(1, length, dim)
    table[0, :, 0::2] = torch.sin(torch.arange(length)[:, None] * omega)
    table[0, :, 1::2] = torch.cos(torch.arange(length)[:, None] * omega)
    return x + table


def sentence_by_sentence(x, base=10000.0):
    _, length, dim = x.shape

    def token(t):
        return [f(t / base ** (i / dim)) for i in range(0, dim, 2) for f in (math.sin, math.cos)]

    table = torch.tensor([token(t) for t in range(length)])
    return torch.stack([sentence + table for sentence in x])


alternatives = [logarithm, sentence_by_sentence]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
