"""Right answers to clinic_decode_alibi, written differently."""

import torch


def by_key(q, k, v, slopes, cache=None):
    if cache is not None:
        k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
    new, at = q.shape[2], torch.arange(k.shape[2])
    scores = (
        q @ k.mT / q.shape[3] ** 0.5 + (slopes[:, None] * at)[:, None]
    )  # up to a row's constant
    return scores.masked_fill(at > at[-new:, None], -torch.inf).softmax(-1) @ v, (k, v)


def one_at_a_time(q, k, v, slopes, cache=None):
    rows = []
    for t in range(q.shape[2]):
        key, value = k[:, :, t : t + 1], v[:, :, t : t + 1]
        if cache is not None:
            key, value = torch.cat((cache[0], key), 2), torch.cat((cache[1], value), 2)
        cache = key, value
        back = torch.arange(key.shape[2]).flip(0)
        scores = (q[:, :, t : t + 1] * key).sum(-1) / q.shape[3] ** 0.5 - slopes[:, None] * back
        rows.append(scores.softmax(-1)[:, :, None] @ value)
    return torch.cat(rows, 2), cache


alternatives = [by_key, one_at_a_time]

equivalent = {
    (
        "bias = slopes[:, None, None] * (at - at[:, None])  →  bias = slopes[:, None, None] "
        "* (at + at[:, None])"
    ): "differs by one number a row, which the softmax takes away",
}
