"""Right answers to mend_grouped_rows, written differently."""

import torch


def by_row_numbers(weight, heads, kv_heads, is_key):
    h = kv_heads if is_key else heads
    dim = len(weight) // h
    pairs = torch.stack((torch.arange(dim // 2), torch.arange(dim // 2, dim)), dim=1).flatten()
    order = (torch.arange(h)[:, None] * dim + pairs).flatten()
    return weight[order]


def head_by_head(weight, heads, kv_heads, is_key):
    parts = []
    for part in weight.chunk(kv_heads if is_key else heads):
        new = torch.empty_like(part)
        new[0::2], new[1::2] = part.chunk(2)
        parts.append(new)
    return torch.cat(parts)


alternatives = [by_row_numbers, head_by_head]
equivalent = {  # mutant → why it is right too
    "pairs = weight.reshape(h, 2, -1, weight.shape[1]).transpose(1, 2)  →  "
    "pairs = weight.reshape(h, 2, -1, weight.shape[1]).transpose(2, 1)": "the same two axes",
}
