"""Right answers to mend_softmax_axis, written differently."""

import torch


def last_axis(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=2) @ v


def fused(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


def sentence_by_sentence(q, k, v):
    def one(q, k, v):
        return torch.nn.functional.softmax(q @ k.T * q.shape[1] ** -0.5, dim=1) @ v

    return torch.stack([one(*each) for each in zip(q, k, v, strict=True)])


def einsum(q, k, v):
    weights = torch.einsum("bid,bjd->bij", q.double(), k.double()).div(q.shape[-1] ** 0.5)
    return torch.einsum("bij,bjd->bid", weights.softmax(-1), v.double()).float()


alternatives = [last_axis, fused, sentence_by_sentence, einsum]

equivalent = {  # mutant → why it is right too
    "scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5"
    "  →  scores = q @ k.transpose(2, 1) / q.shape[-1] ** 0.5": "a swap has no direction",
}
