"""Right answers to added_table, written differently."""

import torch


def pseudoinverse(weight, table):
    dim = weight.shape[1] - table.shape[1]
    return table @ weight[:, dim:].T @ torch.linalg.pinv(weight[:, :dim]).T


def normal_equations(weight, table):
    W_x, W_p = weight[:, : -table.shape[1]], weight[:, -table.shape[1] :]
    return torch.linalg.solve(W_x.T @ W_x, W_x.T @ W_p @ table.T).T


def loop(weight, table):
    W_x, W_p = weight.split([weight.shape[1] - table.shape[1], table.shape[1]], dim=1)
    return torch.stack([torch.linalg.lstsq(W_x, (W_p @ p)[:, None]).solution[:, 0] for p in table])


def triangular(weight, table):
    dim = weight.shape[1] - table.shape[1]
    Q, R = torch.linalg.qr(weight[:, :dim])
    return torch.linalg.solve_triangular(R, Q.T @ weight[:, dim:] @ table.T, upper=True).T


alternatives = [pseudoinverse, normal_equations, loop, triangular]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
