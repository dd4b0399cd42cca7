"""Right answers to previous_token_score, written differently."""

import torch


def shifted_rows(weights):
    """Read the tables without first row and last column: the diagonal is the main one."""
    return torch.einsum("...ii->...i", weights[..., 1:, :-1]).mean(-1)


def gathered(weights):
    """Look one key up for each query."""
    before = torch.arange(weights.shape[-1] - 1)
    return weights[..., before + 1, before].sum(-1) / len(before)


alternatives = [shifted_rows, gathered]

equivalent = {"….float()": "float32 is all that the task promises"}
