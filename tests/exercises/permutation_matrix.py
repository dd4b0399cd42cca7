"""Right answers to permutation_matrix, written differently."""

import torch


def one_hot(order):
    return torch.nn.functional.one_hot(order, len(order)).float()


def fill(order):
    matrix = torch.zeros(len(order), len(order))
    matrix[torch.arange(len(order)), order] = 1.0
    return matrix


def loop(order):
    length = len(order)
    return torch.tensor([[float(j == order[i]) for j in range(length)] for i in range(length)])


def scatter(order):
    return torch.zeros(len(order), len(order)).scatter(1, order[:, None], 1.0)


def inverse_columns(order):
    return torch.eye(len(order))[:, torch.argsort(order)]


alternatives = [one_hot, fill, loop, scatter, inverse_columns]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
    "….half().to(order.dtype)": "whole numbers as small as these are exact in float16",
    "….long()": "integers already, or a mask of 0 and 1",
}
