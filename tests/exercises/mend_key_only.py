"""Right answers to mend_key_only, written differently."""

import torch


def minimum(length, slopes):
    p = torch.arange(length)
    relative = p - p[:, None]
    return slopes[:, None, None] * torch.minimum(relative, -relative)


def two_triangles(length, slopes):
    p = torch.arange(length, dtype=torch.float32)
    relative = p - p[:, None]
    return slopes[:, None, None] * (relative.tril() - relative.triu())


def loop(length, slopes):
    rows = [
        [[-m * abs(i - j) for j in range(length)] for i in range(length)] for m in slopes.tolist()
    ]
    return torch.tensor(rows)


alternatives = [minimum, two_triangles, loop]

equivalent = {  # mutant → why it is right too
    "return -slopes[:, None, None] * (p[None, :] - p[:, None]).abs()"
    "  →  return -slopes[:, None, None] * (p[:, None] - p[None, :]).abs()": "abs is even",
}
