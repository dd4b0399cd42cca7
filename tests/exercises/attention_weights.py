"""Right answers to attention_weights, written differently."""

import math

import torch


def einsum(q, k):
    return torch.einsum("id,jd->ij", q / math.sqrt(q.shape[1]), k).softmax(dim=1)


def by_hand(q, k):
    scores = q.double() @ k.double().transpose(0, 1) / q.shape[-1] ** 0.5
    odds = torch.exp(scores - scores.amax(1, keepdim=True))
    return (odds / odds.sum(1, keepdim=True)).float()


def loop(q, k):
    rows = []
    for query in q:
        scores = torch.stack([query.dot(key) for key in k]) * k.shape[1] ** -0.5
        rows.append(torch.softmax(scores, dim=0))
    return torch.stack(rows)


def log_softmax(q, k):
    scores = torch.matmul(k, q.T).T / math.sqrt(k.shape[-1])
    return (scores - scores.logsumexp(-1, keepdim=True)).exp()


alternatives = [einsum, by_hand, loop, log_softmax]

equivalent = {  # mutant → why it is right too
    "scores = q @ k.T / q.shape[-1] ** 0.5"
    "  →  scores = q @ k.T / q.shape[1] ** 0.5": "axis 1 is the last",
    "return scores.softmax(dim=-1)  →  return scores.softmax(dim=1)": "axis 1 is the last",
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
