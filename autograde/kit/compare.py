"""Whether two results are equal, whatever they are: numbers, tensors, modules, containers."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import torch

from autograde.kit.expect import LARGEST

LEAVES = 8  # tensors in one result whose dtypes are compared
ALIKE = ({torch.float32, torch.float64}, {torch.int32, torch.int64})


def same(left: Any, right: Any, *, rtol: float = 0.0, atol: float = 0.0) -> bool:
    """Return whether two results are equal: tensors by shape and value, containers item by item.

    NaN equals NaN; a tensor of one element equals the number in it; a tuple equals a list.
    A tensor that holds no plain numbers (sparse, meta), or more than `LARGEST`, equals nothing.
    """
    if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor):
        return _same_tensor(left, right, rtol, atol)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        pairs = zip(left, right, strict=False)
        return len(left) == len(right) and all(same(a, b, rtol=rtol, atol=atol) for a, b in pairs)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            same(left[key], right[key], rtol=rtol, atol=atol) for key in left
        )
    if isinstance(left, torch.nn.Module) and isinstance(right, torch.nn.Module):
        return same(dict(left.state_dict()), dict(right.state_dict()), rtol=rtol, atol=atol)
    left, right = _number(left), _number(right)
    if isinstance(left, int | float) and isinstance(right, int | float):
        near = math.isclose(left, right, rel_tol=rtol, abs_tol=atol)
        return near or (math.isnan(left) and math.isnan(right))
    return left is right or (type(left) is type(right) and left == right) is True


def close(left: Any, right: Any, *, rtol: float, atol: float) -> bool:
    """Return whether two results are equal, with `atol` relative to the largest of `right`.

    That number counts as 1 at most, and as 0.01 at least, so that rounding errors are not
    compared with each other.
    """
    if not same(left, right, rtol=rtol, atol=atol):  # most comparisons end here
        return False
    scale = min(max(largest(right), 0.01), 1.0)
    return scale == 1.0 or same(left, right, rtol=rtol, atol=atol * scale)


def alike(left: np.ndarray, right: np.ndarray, *, rtol: float, atol: float) -> np.ndarray:
    """Return where two arrays of one shape agree, NaN with NaN.

    `torch.isclose` takes three times as long for the few numbers of a result.
    """
    exact = np.complex128 if "c" in left.dtype.kind + right.dtype.kind else np.float64
    left, right = left.astype(exact, copy=False), right.astype(exact, copy=False)
    with np.errstate(all="ignore"):
        off = np.abs(left - right)
        agree, finite = off <= atol + rtol * np.abs(right), np.isfinite(off)
        if finite.all():
            return agree
        return np.where(finite, agree, (left == right) | (np.isnan(left) & np.isnan(right)))


def all_alike(left: np.ndarray, right: np.ndarray, *, rtol: float, atol: float) -> bool:
    """Return whether two arrays of one shape agree; three of their numbers settle most cases."""
    real = "c" not in left.dtype.kind + right.dtype.kind  # abs of a complex number may overflow
    for index in (0, left.size // 2, -1) if real and left.size else ():
        got, want = left.item(index), right.item(index)
        if abs(got - want) > atol + rtol * abs(want):  # never true of NaN
            return False
    return bool(alike(left, right, rtol=rtol, atol=atol).all())


def _array(tensor: torch.Tensor) -> np.ndarray:
    tensor = tensor.float() if tensor.dtype == torch.bfloat16 else tensor  # numpy lacks it
    return tensor.numpy(force=True)


def step(value: Any) -> float:
    """Return the relative rounding of the coarsest 16-bit dtype in a result, 0 without one."""
    if isinstance(value, list | tuple):
        return max(map(step, value[:LEAVES]), default=0.0)
    short = isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16)
    return torch.finfo(value.dtype).eps if short else 0.0


def same_kind(left: Any, right: Any) -> bool:
    """Return whether the tensors of two results have dtypes of one kind.

    float32 and float64 are of one kind, int32 and int64 too; a value that is not a tensor matches
    everything.
    """
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return all(map(same_kind, left[:LEAVES], right[:LEAVES]))
    both = isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor)
    return not both or left.dtype == right.dtype or {left.dtype, right.dtype} in ALIKE


def largest(value: Any) -> float:
    """Return the largest finite magnitude among the numbers of a result, 0 if there are none."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return max(map(largest, value), default=0.0)
    if isinstance(value, torch.Tensor):
        array = _array(value)
        exact = np.complex128 if array.dtype.kind == "c" else np.float64
        with np.errstate(over="ignore"):
            sizes = np.abs(array.astype(exact))
        finite = sizes[np.isfinite(sizes)]
        return float(finite.max()) if finite.size else 0.0
    value = _number(value)
    return abs(value) if isinstance(value, int | float) and math.isfinite(value) else 0.0


def _same_tensor(left: torch.Tensor, right: torch.Tensor, rtol: float, atol: float) -> bool:
    try:
        if left.shape != right.shape or left.numel() > LARGEST:
            return False
        if left.dtype == right.dtype and torch.equal(left.cpu(), right.cpu()):
            return True  # most inputs: nothing changed them
        if left.dtype == right.dtype == torch.bool:
            return False
        return all_alike(_array(left), _array(right), rtol=rtol, atol=atol)
    except (RuntimeError, TypeError):  # sparse, nested, quantized, without storage: no numbers
        return False


def _number(value: Any) -> Any:
    # where a check expects one number, people return a tensor just as often
    single = isinstance(value, torch.Tensor) and value.ndim == 0
    if single and not value.is_complex() and not value.is_meta:
        return value.item()
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return math.inf if value > 0 else -math.inf  # beyond what can be compared with a float
    return value
