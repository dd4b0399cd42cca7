"""Right answers to alibi_decode_bias, written differently."""

import torch


def einsum(position, positions, visible, slopes):
    relative = (positions - position.unsqueeze(1)).to(slopes.dtype)
    bias = torch.einsum("h,bl->bhl", slopes, relative).unsqueeze(2)
    return torch.where(visible[:, None, None], bias, -torch.inf)


def loop(position, positions, visible, slopes):
    rows = [
        [
            [[m * (j - i) if seen else -torch.inf for j, seen in zip(at, words, strict=True)]]
            for m in slopes.tolist()
        ]
        for i, at, words in zip(
            position.tolist(), positions.tolist(), visible.tolist(), strict=True
        )
    ]
    return torch.tensor(rows)


alternatives = [einsum, loop]

equivalent = {
    "….float()": "float32 is all that the task promises",
    "….half().to(visible.dtype)": "true and false, as before",
    "….long()": "integers already",
}
