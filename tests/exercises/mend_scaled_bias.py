"""Right answers to mend_scaled_bias, written differently."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def by_torch(q, k, slope):
    p = torch.arange(len(q))
    bias = slope * (p - p[:, None]).float()
    bias = bias.masked_fill(p > p[:, None], -torch.inf)
    eye = torch.eye(len(q))
    return scaled_dot_product_attention(q[None], k[None], eye[None], attn_mask=bias)[0]


def key_only(q, k, slope):
    scores = q @ k.T / q.shape[-1] ** 0.5 + slope * torch.arange(len(q))
    return scores.masked_fill(torch.ones_like(scores).triu(1) == 1, -1e30).softmax(-1)


def row_by_row(q, k, slope):
    out = torch.zeros(len(q), len(q))
    for i in range(len(q)):
        scores = k[: i + 1] @ q[i] / q.shape[-1] ** 0.5 - slope * torch.arange(i, -1, -1)
        out[i, : i + 1] = scores.softmax(-1)
    return out


alternatives = [by_torch, key_only, row_by_row]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is all that the task promises",
    "scores = q @ k.T / q.shape[-1] ** 0.5 + slope * relative"
    "  →  scores = q @ k.T / q.shape[1] ** 0.5 + slope * relative": "axis 1 is the last",
    "return scores.masked_fill(relative > 0, -torch.inf).softmax(dim=-1)"
    "  →  return scores.masked_fill(relative > 0, -torch.inf).softmax(dim=1)": "axis 1 is the last",
}
