"""Right answers to append_attend, written differently."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def fused(q, k, v, old_k, old_v):
    keys, values = torch.cat([old_k, k], 2), torch.cat([old_v, v], 2)
    seen = torch.ones(q.shape[2], keys.shape[2], dtype=torch.bool).tril(old_k.shape[2])
    return scaled_dot_product_attention(q, keys, values, attn_mask=seen), keys, values


def token_by_token(q, k, v, old_k, old_v):
    rows = []
    for t in range(q.shape[2]):
        old_k = torch.cat((old_k, k[:, :, t : t + 1]), dim=2)
        old_v = torch.cat((old_v, v[:, :, t : t + 1]), dim=2)
        scores = torch.einsum("bhid,bhjd->bhij", q[:, :, t : t + 1], old_k) / q.shape[-1] ** 0.5
        rows.append(torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), old_v))
    return torch.cat(rows, dim=2), old_k, old_v


alternatives = [fused, token_by_token]

equivalent = {
    "….float()": "float32 is all that the task promises",
}
