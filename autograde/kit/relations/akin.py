"""Whether one result may be made of the numbers of another: one look ends most comparisons."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from autograde.kit.diagnose import TOLERANCES
from autograde.kit.relations.as_numbers import numbers
from autograde.kit.relations.weights import scores_of

TOLERANCE = TOLERANCES[-1]
ONE = torch.ones((), dtype=torch.float64)


def akin(left: Any, right: Any) -> bool:
    """Return whether one look leaves it open that one result is made of the other's numbers."""
    left, right = numbers(left), numbers(right)
    if left is None or right is None or left.numel() != right.numel() or not left.numel():
        return False
    if left.shape == right.shape and _shares(left) and _shares(right):
        seen = (left > 0) & (right > 0)
        if _proportional(scores_of(left)[seen], scores_of(right)[seen]):
            return True
    left, right = left.flatten(), right.flatten()
    return _same_sizes(left.abs(), right.abs()) or _proportional(left, right)


def _same_sizes(left: Tensor, right: Tensor) -> bool:
    return _close(left.mean(), right.mean()) and _close(left.sort().values, right.sort().values)


def _proportional(left: Tensor, right: Tensor) -> bool:
    return _close(left, right * (left @ right) / (right @ right))


def _close(left: Tensor, right: Tensor) -> bool:
    return torch.allclose(left, right, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)


def _shares(values: Tensor) -> bool:
    return values.ndim > 0 and bool((values >= 0).all()) and _close(values.sum(-1), ONE)
