"""Right answers to disentangled_scores, written differently."""

import torch


def looked_up(q, k, relative_q, relative_k):
    span, p = len(relative_k) // 2, torch.arange(len(q))
    row = (p[:, None] - p + span).clamp(0, 2 * span - 1)
    c2p = torch.einsum("id,ijd->ij", q, relative_k[row])
    p2c = torch.einsum("jd,ijd->ij", k, relative_q[row])
    return (q @ k.T + c2p + p2c) * (3 * q.shape[-1]) ** -0.5


def pair_by_pair(q, k, relative_q, relative_k):
    span = len(relative_k) // 2
    out = torch.zeros(len(q), len(k))
    for i in range(len(q)):
        for j in range(len(k)):
            row = min(max(i - j + span, 0), 2 * span - 1)
            out[i, j] = q[i] @ k[j] + q[i] @ relative_k[row] + k[j] @ relative_q[row]
    return out / (3 * q.shape[-1]) ** 0.5


alternatives = [looked_up, pair_by_pair]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
