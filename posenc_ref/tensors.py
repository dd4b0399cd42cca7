"""What a tensor must be, the same error for the same cause; and what can be read of its numbers."""

from __future__ import annotations

import torch
from torch import Tensor


def require_tensors(**arguments: object) -> None:
    """Raise a TypeError that names the first argument which is not a tensor.

    Raises:
        TypeError: one is not a tensor: a list, an array, None.
    """
    for name, value in arguments.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"{name} must be a tensor, got {type(value).__name__}")


def require_floats(**arguments: Tensor) -> None:
    """Raise a TypeError that names the first argument which is not a tensor of floats.

    Raises:
        TypeError: one is not a tensor, or of integers, booleans or complex numbers: what is
            rounded to the dtype of another would lose its fractions or its imaginary part.
    """
    require_tensors(**arguments)
    for name, value in arguments.items():
        require_float_dtype(**{name: value.dtype})


def require_float_dtype(**arguments: object) -> None:
    """Raise a TypeError that names the first argument which is not a dtype to compute in.

    Raises:
        TypeError: one is not a torch.dtype, or not of floats of 16 bits or more.
    """
    for name, value in arguments.items():
        is_float = isinstance(value, torch.dtype) and value.is_floating_point
        if not is_float or value.itemsize < 2:  # float8 has no arithmetic
            raise TypeError(f"{name} must be floating point, of 16 bits or more, got {value!r}")


def require_wide(**arguments: object) -> None:
    """Raise a TypeError that names the first dtype which is neither float32 nor float64.

    Raises:
        TypeError: one is of 16 bits, whose angles and slopes would collide, or not of floats.
    """
    for name, value in arguments.items():
        if value not in (torch.float32, torch.float64):
            raise TypeError(f"{name} must be float32 or float64, got {value!r}")


def require_one_dtype(**arguments: Tensor) -> None:
    """Raise a TypeError unless all have one float dtype; under autocast they may differ.

    Raises:
        TypeError: as `require_floats`; the dtypes differ.
    """
    require_floats(**arguments)
    first, *others = arguments.values()
    same = all(other.dtype == first.dtype for other in others)
    if not same and not torch.is_autocast_enabled(first.device.type):
        dtypes = ", ".join(str(value.dtype) for value in arguments.values())
        raise TypeError(f"{', '.join(arguments)} must have one dtype, got {dtypes}")


def false_somewhere(condition: Tensor) -> bool:
    """Return whether a condition (…) fails for some number; False if numbers cannot be read.

    A compiled graph has no numbers yet, and vmap refuses to choose one of its rows.
    """
    if torch.compiler.is_compiling():
        return False
    try:
        return not condition.all()
    except RuntimeError as error:
        if "vmap" in str(error):
            return False
        raise
