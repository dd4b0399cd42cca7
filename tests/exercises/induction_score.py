"""Right answers to induction_score, written differently."""

import torch


def remembered(weights, tokens):
    """Read each row once, and remember where each token was last."""
    read = []
    for b, row in enumerate(tokens.tolist()):
        last = {}
        for i, token in enumerate(row):
            if token in last:
                read.append(weights[b, :, i, last[token] + 1])
            last[token] = i
    heads = weights.shape[1]
    return torch.stack(read).mean(0) if read else torch.full((heads,), torch.nan)


def one_hot(weights, tokens):
    """Mark the key to read in a table, and multiply."""
    length = tokens.shape[1]
    same = (tokens.unsqueeze(2) == tokens.unsqueeze(1)).tril(-1)
    later = same.flip(2).cumsum(2).flip(2)  # how many from here on
    latest = (same & (later == 1)).float()  # (B, L, L)
    behind = torch.zeros_like(latest)
    behind[:, :, 1:] = latest[:, :, : length - 1]
    return torch.einsum("bhqk,bqk->h", weights, behind) / latest.sum()


alternatives = [remembered, one_hot]

equivalent = {  # mutant → why it is right too
    "….float()": "float32 is all that the task promises, and tokens are small enough to be exact",
    "….long()": "integers already",
    "…expand(*weights.shape[:3], 1))[..., -1]": "one key is read: the first is the last",
    "…expand(*weights.shape[:3], 2))[..., 0]": "the same key is read twice, and used once",
}
