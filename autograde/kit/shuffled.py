"""An order that the seed draws, for questions whose answers would else be a list of constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import torch

Item = TypeVar("Item")


def shuffled(rng: torch.Generator, items: Sequence[Item]) -> list[Item]:
    """Return the items in an order that is drawn.

    An answer that counts its calls could return constants in their order, and be right.
    """
    return [items[place] for place in torch.randperm(len(items), generator=rng).tolist()]
