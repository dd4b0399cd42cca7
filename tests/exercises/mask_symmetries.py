"""Right answers to mask_symmetries, written differently."""

from itertools import permutations

import torch


def matrices(mask):
    count, identity = 0, torch.eye(len(mask))
    for order in permutations(range(len(mask))):
        P = identity[list(order)]
        count += int(torch.equal(P @ mask.float() @ P.T, mask.float()))
    return count


def place_by_place(mask):
    """Give each place a new one, and stop as soon as two that are placed disagree."""

    def extend(order):
        t = len(order)
        if t == len(mask):
            return 1
        free = [p for p in range(len(mask)) if p not in order]
        return sum(
            extend([*order, p])
            for p in free
            if mask[p, p] == mask[t, t]
            and all(
                mask[p, o] == mask[t, i] and mask[o, p] == mask[i, t] for i, o in enumerate(order)
            )
        )

    return extend([])


def measured(mask):
    """Compare f(PX) with P f(X) for random attention: what the proof is about."""
    q, k, v = torch.randn(
        3, len(mask), 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64
    )

    def attend(order):
        scores = (q[order] @ k[order].T).masked_fill(~mask, -torch.inf)
        return scores.softmax(-1) @ v[order]

    start = attend(list(range(len(mask))))
    orders = [list(order) for order in permutations(range(len(mask)))]
    return sum(torch.allclose(attend(order), start[order]) for order in orders)


alternatives = [matrices, place_by_place, measured]

equivalent = {  # mutant → why it is right too
    "return sum((torch.equal(mask[order][:, order], mask) for order in orders))"
    "  →  return sum((torch.equal(mask, mask[order][:, order]) for order in orders))": (
        "equality is symmetric"
    ),
    "….half().to(mask.dtype)": "whole numbers as small as these are exact in float16",
    "….float()": "a mask of 0 and 1 stays one",
    "….long()": "integers already, or a mask of 0 and 1",
}
