"""Where faster forms come from: `posenc_loops`, if it and numba are installed. torch is enough.

Loading and compiling take a second. So the first call with many numbers loads a module of
loops, and later calls of any size find it there.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from types import ModuleType

from torch import Tensor

FEW = 2**16  # numbers, as in a decode step: a call costs more than its sums
INSTALLED = sys.platform == "linux" and importlib.util.find_spec("posenc_loops") is not None


def worth_loops(x: Tensor) -> bool:
    """Tell whether x is large enough to load loops for, and where loops work."""
    return INSTALLED and x.is_cpu and x.numel() > FEW


def loops(module: str, x: Tensor) -> ModuleType | None:
    """Return this module of loops, if it is there already or x is worth loading it.

    Source: none, plumbing of `rotate` and `decode_attention`.
    """
    loaded = sys.modules.get(module)
    if loaded is not None and not loaded.__spec__._initializing:  # another thread may be at it
        return loaded
    if not worth_loops(x):
        return None
    try:
        return importlib.import_module(module)
    except ImportError as error:  # no numba, or one that does not fit its neighbours
        if getattr(error, "name", None) != "numba":
            warnings.warn(
                f"posenc_loops cannot be loaded, and is not needed: {error}", stacklevel=2
            )
        return None
