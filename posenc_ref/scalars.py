"""What a size, another single number, and a list must be: the same error for the same cause.

A size is an integer: 4.0 and True are none. Numbers of numpy and of a traced graph are welcome.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor


def require_integers(**given: object) -> None:
    """Say which of the named arguments is no integer.

    Raises:
        TypeError: one is a float (also 4.0), a boolean, a tensor, or no number.
    """
    for name, value in given.items():
        whole = isinstance(value, int) or hasattr(value, "__index__")
        if isinstance(value, bool | Tensor) or not whole:
            raise TypeError(f"{name} must be an integer, got {value!r}")


def require_reals(**given: object) -> None:
    """Say which of the named arguments is not one real number; a tensor of one is.

    Raises:
        TypeError: one is a boolean, complex, or no number.
        ValueError: one is a tensor of several numbers.
    """
    for name, value in given.items():
        if isinstance(value, Tensor):
            real = not value.is_complex() and value.dtype != torch.bool
        else:
            real = isinstance(value, int | float) or hasattr(value, "__float__")
        if isinstance(value, bool) or not real:
            raise TypeError(f"{name} must be a real number, got {value!r}")
        if isinstance(value, Tensor) and value.dim():
            raise ValueError(f"{name} must be one number, got {tuple(value.shape)}")


def require_lists(**given: object) -> None:
    """Say which of the named arguments is no list, tuple, array or tensor.

    Raises:
        TypeError: one is none of these.
    """
    for name, value in given.items():
        listed = isinstance(value, Sequence | Tensor) or hasattr(value, "__array__")
        if not listed or getattr(value, "ndim", 1) == 0:
            raise TypeError(f"{name} must be a list, got {type(value).__name__}")


def require_finite(**given: object) -> None:
    """Say which of the named arguments is not one finite number; a tensor's is not read.

    Raises:
        TypeError: as `require_reals`.
        ValueError: as `require_reals`; one is infinite or NaN.
    """
    require_reals(**given)
    for name, value in given.items():
        if not isinstance(value, Tensor) and not -math.inf < value < math.inf:
            raise ValueError(f"{name} must be finite, got {value}")
