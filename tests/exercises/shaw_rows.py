"""Right answers to shaw_rows, written differently."""

import torch


def one_by_one(q_positions, k_positions, largest):
    rows = torch.zeros(len(q_positions), len(k_positions), dtype=torch.long)
    for a, i in enumerate(q_positions.tolist()):
        for b, j in enumerate(k_positions.tolist()):
            rows[a, b] = sorted((0, j - i + largest, 2 * largest))[1]
    return rows


def shifted_first(q_positions, k_positions, largest):
    return (k_positions + largest - q_positions[:, None]).clamp(0, 2 * largest)


alternatives = [one_by_one, shifted_first]

equivalent = {  # mutant → why it is right too
    "….int()": "int32 chooses rows as well; the text promises no more than integers",
    "….long()": "integers already, or a mask of 0 and 1",
}
