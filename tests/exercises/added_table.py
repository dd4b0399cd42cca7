"""Right answers to added_table, written differently."""

import torch


def inverse(weight, table):
    dim = len(weight)
    return table @ weight[:, dim:].T @ torch.linalg.inv(weight[:, :dim]).T


def loop(weight, table):
    W_x, W_p = weight.split([weight.shape[0], table.shape[1]], dim=1)
    return torch.stack([torch.linalg.solve(W_x, W_p @ p) for p in table])


def least_squares(weight, table):
    dim = weight.shape[0]
    return torch.linalg.lstsq(weight[:, :dim], weight[:, dim:] @ table.T).solution.T


alternatives = [inverse, loop, least_squares]
