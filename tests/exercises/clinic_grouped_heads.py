"""Right answers to clinic_grouped_heads, written differently."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def expanded(q, k, v):
    B, H, L, D = q.shape
    k, v = (
        x[:, :, None].expand(-1, -1, H // x.shape[1], -1, -1).reshape(B, H, L, D) for x in (k, v)
    )
    return scaled_dot_product_attention(q, k, v, is_causal=True)


def grouped(q, k, v):
    groups = q.unflatten(1, (k.shape[1], -1))  # (B, Hkv, g, L, D)
    scores = groups @ k[:, :, None].mT / q.shape[3] ** 0.5
    hidden = torch.ones(q.shape[2], q.shape[2]).triu(1).bool()
    return (scores.masked_fill(hidden, -torch.inf).softmax(-1) @ v[:, :, None]).flatten(1, 2)


alternatives = [expanded, grouped]
