"""Whether one result may be made of the numbers of another: a quick look rules most out."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograde.kit.compare import all_alike
from autograde.kit.diagnose import TOLERANCES
from autograde.kit.relations.as_numbers import numbers
from autograde.kit.relations.weights import scores_of

TOLERANCE = TOLERANCES[-1]


def may_relate(left: Any, right: Any) -> bool:
    """Return False if a quick look rules out that one result has the other's numbers."""
    left, right = numbers(left), numbers(right)
    if left is None or right is None or left.numel() != right.numel() or not left.numel():
        return False
    left_values, right_values = left.numpy(), right.numpy()
    if left.shape == right.shape and _shares(left_values) and _shares(right_values):
        seen = (left > 0) & (right > 0)
        if _proportional(*(scores_of(side)[seen].numpy() for side in (left, right))):
            return True
    lefts, rights = left_values.ravel(), right_values.ravel()
    return _same_sizes(np.abs(lefts), np.abs(rights)) or _proportional(lefts, rights)


def _same_sizes(left: np.ndarray, right: np.ndarray) -> bool:
    return _close(left.mean(), right.mean()) and _close(np.sort(left), np.sort(right))


def _proportional(left: np.ndarray, right: np.ndarray) -> bool:
    # not @, which starts threads
    return _close(left, right * ((left * right).sum() / (right * right).sum()))


def _close(left: np.ndarray, right: np.ndarray) -> bool:
    return all_alike(left, right, rtol=TOLERANCE, atol=TOLERANCE)


def _shares(values: np.ndarray) -> bool:
    if values.ndim == 0 or (values < 0).any():
        return False
    sums = values.sum(-1)
    return _close(sums, np.ones_like(sums))
