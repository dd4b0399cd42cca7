"""Right answers to mend_decode_after_image, written differently."""

import torch


def plain_numbers(positions, step):
    return torch.tensor([max(map(max, positions.tolist())) + 1 + step] * 3)


def shifted_count(positions, step):
    # the length of the cache, corrected once for all steps of the answer
    length = positions.shape[1]
    correction = positions.max() + 1 - length
    return torch.full((3,), length + step + correction.item())


alternatives = [plain_numbers, shifted_count]

equivalent = {  # mutant → why it is right too
    "….int()": "integers of any type",
    "….long()": "positions are integers",
    "….flip(-1)": "all three are equal",
    "….squeeze()": "three numbers, no axis of size 1",
}
