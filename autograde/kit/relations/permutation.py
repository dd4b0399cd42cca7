"""The right numbers in any fixed order along an axis."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation
from autograde.kit.relations.evidence import choices, holds
from autograde.kit.relations.order import reordered_words, same_numbers
from bilingual import Text

WIDEST = 256  # places of an axis whose order is searched


def permuted(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth in any order along an axis; calls of one size have one order."""
    if not same_numbers(pairs[0]):
        return None
    for axis in range(-1, -min(pair.want.ndim for pair in pairs) - 1, -1):
        orders: dict[int, Tensor] = {}

        def image(pair: Numbers, axis: int = axis, orders: dict[int, Tensor] = orders) -> Tensor:
            size = pair.want.shape[axis]
            if size not in orders:
                orders[size] = _order(pair, axis)
            return pair.want.index_select(axis, orders[size])

        free = sum(map(choices, {pair.want.shape[axis] for pair in pairs}))
        if holds(pairs, image, parameter=free):
            order = max(orders.values(), key=len).tolist()
            indices = ", ".join(map(str, order[:12])) + (", …" if len(order) > 12 else "")
            words = Text(
                en=f"in another order: its places {indices}",
                zh=f"改成另一种次序（依次是第{indices}位）",
            )
            return reordered_words(axis, pairs, words)
    return None


def _order(pair: Numbers, axis: int) -> Tensor:
    """Return the index in the truth of each slice of the result; 0, 1, 2, … if one has no match."""
    size = pair.want.shape[axis]
    same_order = torch.arange(size)
    if pair.got.shape != pair.want.shape or not 1 < size <= WIDEST:
        return same_order
    got, want = (side.movedim(axis, 0).reshape(size, -1) for side in (pair.got, pair.want))
    if not (got.isfinite().all() and want.isfinite().all()):
        return same_order
    nearest, index = torch.cdist(got, want, p=torch.inf).min(dim=1)
    fits = nearest.max() <= 10 * pair.tolerance and len(index.unique()) == size
    return index if fits else same_order


RELATIONS: tuple[Relation, ...] = (permuted,)
