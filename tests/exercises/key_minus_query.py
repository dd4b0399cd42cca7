"""Right answers to key_minus_query, written differently."""

import torch


def loop(q_positions, k_positions):
    result = torch.zeros(len(q_positions), len(k_positions), dtype=torch.long)
    for row, i in enumerate(q_positions):
        for column, j in enumerate(k_positions):
            result[row, column] = j - i
    return result


def stacked(q_positions, k_positions):
    return torch.stack([k_positions - i for i in q_positions])


def outer(q_positions, k_positions):
    q, k = q_positions.double(), k_positions.double()
    return torch.outer(torch.ones_like(q), k) - torch.outer(q, torch.ones_like(k))


alternatives = [loop, stacked, outer]

equivalent = {  # mutant → why it is right too
    "….float()": "exact in float32 up to 2**24; the text promises no dtype",
    "….int()": "int32 chooses rows as well; the text promises no more than integers",
    "….long()": "integers already, or a mask of 0 and 1",
}
