"""Right answers to four_term_scores, written differently."""

import torch


def term_by_term(q, k, r, u, v):
    a = q @ k.T
    b = torch.einsum("id,ijd->ij", q, r)
    c = (k @ u)[None, :]
    d = r @ v
    return (a + b + c + d) * q.shape[-1] ** -0.5


def one_key(q, k, r, u, v):
    content = torch.einsum("id,jd->ij", q + u, k)
    return (content + torch.einsum("id,ijd->ij", q + v, r)) / q.shape[-1] ** 0.5


def row_by_row(q, k, r, u, v):
    rows = [k @ (q[i] + u) + r[i] @ (q[i] + v) for i in range(len(q))]
    return torch.stack(rows) / q.shape[-1] ** 0.5


alternatives = [term_by_term, one_key, row_by_row]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
}
