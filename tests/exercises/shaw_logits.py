"""Right answers to shaw_logits, written differently."""

import torch


def gathered(q, k, rows, table):
    return (q @ k.T + (q @ table.T).gather(1, rows)) * q.shape[-1] ** -0.5


def summed_keys(q, k, rows, table):
    return torch.einsum("id,ijd->ij", q, k + table[rows]) / q.shape[-1] ** 0.5


def row_by_row(q, k, rows, table):
    scores = [(k.double() + table[r].double()) @ x.double() for x, r in zip(q, rows, strict=True)]
    return torch.stack(scores) / q.shape[-1] ** 0.5


alternatives = [gathered, summed_keys, row_by_row]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
    "….half().to(rows.dtype)": "whole numbers as small as these are exact in float16",
    "….long()": "integers already, or a mask of 0 and 1",
}
