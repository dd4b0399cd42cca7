"""Right answers to equivariance_gap, written differently."""

import torch


def with_matrix(f, x, order):
    permutation = torch.eye(len(order))[order]
    return torch.max(torch.abs(f(permutation @ x) - permutation @ f(x))).item()


def infinity_norm(f, x, order):
    difference = f(x.index_select(0, order)) - f(x).index_select(0, order)
    return float(torch.linalg.vector_norm(difference, ord=torch.inf))


def undone(f, x, order):
    back = torch.argsort(order)
    return (f(x[order])[back] - f(x)).abs().amax()


alternatives = [with_matrix, infinity_norm, undone]

equivalent = {  # mutant → why it is right too
    "return (f(x[order]) - f(x)[order]).abs().max()"
    "  →  return (f(x)[order] - f(x[order])).abs().max()": "the absolute value is even",
    "….squeeze()": "a single number has no axes",
    "….mT": "a single number has no axes",
    "….flip(-1)": "a single number has no axes",
    "….float()": "the text promises no dtype, and float32 is precise enough",
    "….half().to(order.dtype)": "whole numbers as small as these are exact in float16",
    "….long()": "integers already, or a mask of 0 and 1",
}
