"""A function that an exercise passes to an answer; its errors do not reveal which one it is."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import torch

from autograde.kit.exercise import Function
from bilingual import Text

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
INTEGERS = (torch.int32, torch.int64)


class Intended(Exception):
    """Raised by a function to let an answer meet `error`, as the exercise intends."""

    def __init__(self, error: Exception) -> None:
        """Keep the error."""
        self.error = error
        super().__init__(repr(error))


@dataclass(frozen=True, repr=False)
class Callback:
    """`function`, for an answer to call; right and broken ones refuse the same calls alike.

    `arguments` has the parameters that the task names, and returns the arguments of `function`; it
    raises an exception of any type if a call does not suit the task. The answer then gets a
    TypeError with the text `needs`, in both languages, since a worker has one text for an error.
    An error of `function` becomes the same TypeError: Python's own message would contain the
    function's name, and differ between right and broken.
    """

    function: Function
    needs: Text
    arguments: Callable[..., tuple[Any, ...]]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the function returns; raise TypeError, or the error that it intends."""
        error: Exception
        try:
            return self.function(*self.arguments(*args, **kwargs))
        except Intended as intended:
            error = copy(intended.error)  # without the traceback of an earlier call
        except Exception:  # of any type: an answer may pass it anything
            error = TypeError(self.needs.in_language("both", separator=" · "))
        raise error

    def __deepcopy__(self, memo: Any) -> Callback:
        """Return itself: copying the inputs of a call need not copy it."""
        return self

    def __repr__(self) -> str:
        """Return the same text as in a worker."""
        return "<function>"


def has_axes(x: Any, count: int, dtypes: tuple[torch.dtype, ...]) -> bool:
    """Return whether x is a dense CPU tensor with `count` axes and one of these dtypes."""
    if not isinstance(x, torch.Tensor) or x.layout is not torch.strided:
        return False
    return x.device.type == "cpu" and x.dtype in dtypes and x.dim() == count
