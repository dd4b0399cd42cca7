"""Right answers to mend_t5_divided, written differently."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def by_torch(q, k, bias):
    eye = torch.eye(k.shape[1]).expand(len(k), -1, -1)
    return scaled_dot_product_attention(q, k, eye, attn_mask=bias, scale=1.0)


def by_hand(q, k, bias):
    raised = (torch.einsum("hid,hjd->hij", q.double(), k.double()) + bias).exp()
    return raised / raised.sum(-1, keepdim=True)


alternatives = [by_torch, by_hand]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
