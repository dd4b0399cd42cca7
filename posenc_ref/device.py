"""Which device the course computes on; the only file that names a backend.

The choice is the first that this machine has of CUDA, MPS (Apple), XPU (Intel) and CPU. The
environment variable `POSENC_DEVICE` overrides it, e.g. `POSENC_DEVICE=cpu` or `cuda:1`. The
answer is computed again at each call: nothing is remembered.
"""

from __future__ import annotations

import os

import torch

BACKENDS = ("cuda", "mps", "xpu", "cpu")  # in the order of choice
VARIABLE = "POSENC_DEVICE"


def available_devices() -> tuple[str, ...]:
    """Return the names of the backends that work here, the preferred one first.

        () → (n,) strings, n ≥ 1: those of (cuda, mps, xpu, cpu) whose `is_available()` is true

    Source: none, plumbing of the course.
    Example:
        >>> from posenc_ref import available_devices
        >>> available_devices()[-1]
        'cpu'
    """
    return tuple(name for name in BACKENDS if torch.get_device_module(name).is_available())


def device() -> torch.device:
    """Return the device to compute on.

        () → torch.device(POSENC_DEVICE if it is set, else available_devices()[0])

    Source: none, plumbing of the course.
    Raises:
        ValueError: `POSENC_DEVICE` names a device that is unknown or that this machine lacks;
            the message lists those it has.
    Example:
        >>> from posenc_ref import available_devices, device
        >>> device().type in available_devices()
        True
    """
    here = available_devices()
    choice = os.environ.get(VARIABLE) or here[0]
    name, colon, index = choice.partition(":")
    numbered = not colon or (
        index.isdecimal()
        and name in here
        and int(index) < torch.get_device_module(name).device_count()
    )
    if name not in here or not numbered:
        raise ValueError(
            f"{VARIABLE}={choice!r} is not available here; choose from {', '.join(here)}"
        )
    return torch.device(choice)


def angle_dtype(where: torch.device | str | None = None) -> torch.dtype:
    """Return the dtype that angles are computed in on `where` (default: torch's default device).

        device () → float32 on MPS and on XPUs without float64, else float64

    float64, or float32 on hardware without float64 (MPS and some XPUs). Never a 16-bit type.

    Source: none, plumbing of the course.
    Example:
        >>> from posenc_ref import angle_dtype
        >>> angle_dtype("cpu")
        torch.float64
    """
    # torch.get_default_device() cannot be compiled
    where = torch.empty(0).device if where is None else torch.device(where)
    if where.type == "mps":
        return torch.float32
    if where.type == "xpu" and not torch.xpu.get_device_properties(where).has_fp64:
        return torch.float32
    return torch.float64
