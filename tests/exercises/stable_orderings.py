"""Right answers to stable_orderings, written differently."""

import torch


def loop(excess):
    beats = torch.zeros(len(excess), len(excess), dtype=torch.bool)
    for a, one in enumerate(excess.tolist()):
        for b, other in enumerate(excess.tolist()):
            beats[a, b] = all(x < y for x, y in zip(one, other, strict=True))
    return beats


def least_difference(excess):
    return (excess.unsqueeze(0) - excess.unsqueeze(1)).amin(-1) > 0


alternatives = [loop, least_difference]

equivalent = {  # mutant → why it is right too
    "….float()": "the inputs are float32",
}
