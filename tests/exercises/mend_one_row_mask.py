"""Right answers to mend_one_row_mask, written differently."""

import torch
from torch.nn.functional import pad, scaled_dot_product_attention


def by_position(q, k, v):
    at = torch.arange(k.shape[2])
    hidden = at > at[k.shape[2] - q.shape[2] :, None]
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return scores.masked_fill(hidden, -torch.inf).softmax(-1) @ v


def padded_queries(q, k, v):
    missing = k.shape[2] - q.shape[2]
    square = pad(q, (0, 0, missing, 0))  # queries of zeros in front, thrown away again
    return scaled_dot_product_attention(square, k, v, is_causal=True)[:, :, missing:]


alternatives = [by_position, padded_queries]

equivalent = {}
