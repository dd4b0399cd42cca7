"""What a size, another single number, and a list must be: the same error for the same cause.

A size is an integer; 4.0 and True are not. Numbers of numpy and of a traced graph are welcome.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


def require_integers(**arguments: object) -> None:
    """Raise a TypeError that names the first argument which is not an integer.

    Raises:
        TypeError: one is a float (also 4.0), a boolean, a tensor, or not a number.
    """
    for name, value in arguments.items():
        whole = isinstance(value, int) or hasattr(value, "__index__")
        if isinstance(value, (bool, Tensor)) or not whole:
            raise TypeError(f"{name} must be an integer, got {value!r}")


def require_reals(**arguments: object) -> None:
    """Raise an error that names the first argument which is not one real number; tensors may be.

    Raises:
        TypeError: one is a boolean, complex, or not a number.
        ValueError: one is a tensor of several numbers.
    """
    for name, value in arguments.items():
        if isinstance(value, Tensor):
            real = not value.is_complex() and value.dtype != torch.bool
        else:
            real = isinstance(value, (int, float)) or hasattr(value, "__float__")
        if isinstance(value, bool) or not real:
            raise TypeError(f"{name} must be a real number, got {value!r}")
        if isinstance(value, Tensor) and value.dim():
            raise ValueError(f"{name} must be one number, got {tuple(value.shape)}")


def require_lists(**arguments: object) -> None:
    """Raise a TypeError that names the first argument which is not a list, tuple, array or tensor.

    Raises:
        TypeError: one is anything else: a number, None.
    """
    for name, value in arguments.items():
        listed = isinstance(value, (Sequence, Tensor)) or hasattr(value, "__array__")
        if not listed or getattr(value, "ndim", 1) == 0:
            raise TypeError(f"{name} must be a list, got {type(value).__name__}")


def require_finite(**arguments: object) -> None:
    """Raise an error that names the first argument which is not finite; a tensor is not read.

    Raises:
        TypeError: as `require_reals`.
        ValueError: as `require_reals`; one is infinite or NaN.
    """
    require_reals(**arguments)
    for name, value in arguments.items():
        if not isinstance(value, Tensor) and not -math.inf < value < math.inf:
            raise ValueError(f"{name} must be finite, got {value}")


def require_choice(choices: Any, **arguments: object) -> None:
    """Raise a ValueError that names the first argument which is not one of a Literal's choices.

    Raises:
        ValueError: one is not among them; the message lists the choices.
    """
    options = choices.__args__  # torch 2.6 does not trace `get_args`, nor `isinstance` of a union
    for name, value in arguments.items():
        if value not in options:
            raise ValueError(f"{name} must be one of {', '.join(options)}, got {value!r}")
