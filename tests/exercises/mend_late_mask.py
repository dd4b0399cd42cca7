"""Right answers to mend_late_mask, written differently."""

import torch


def boolean(scores):
    visible = torch.ones_like(scores, dtype=torch.bool).tril()
    return torch.softmax(scores.masked_fill(~visible, float("-inf")), dim=-1)


def additive(scores):
    length = scores.shape[-1]
    return (scores + torch.full((length, length), -torch.inf).triu(1)).softmax(-1)


def row_by_row(scores):
    weights = torch.zeros_like(scores)
    for i in range(len(scores)):
        weights[i, : i + 1] = torch.softmax(scores[i, : i + 1], dim=0)
    return weights


def where(scores):
    place = torch.arange(len(scores))
    hidden = torch.finfo(scores.dtype).min
    return torch.where(place[:, None] >= place, scores, hidden).softmax(1)


alternatives = [boolean, additive, row_by_row, where]

equivalent = {  # mutant → why it is right too
    "return scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)"
    "  →  return scores.masked_fill(~visible, -torch.inf).softmax(dim=1)": "axis 1 is the last",
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
