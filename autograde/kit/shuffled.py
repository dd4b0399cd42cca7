"""Items in an order drawn from the seed, so that an answer cannot be a list of constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import torch

Item = TypeVar("Item")


def shuffled(rng: torch.Generator, items: Sequence[Item]) -> list[Item]:
    """Return the items in a random order.

    With a fixed order, an answer could count its calls and return the right constants.
    """
    return [items[index] for index in torch.randperm(len(items), generator=rng).tolist()]
