"""Which two channels a function of rotation turns together, found by turning one at a time."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

ROTATION = re.compile(r"^_?apply_.*(rotary|rope)|^_?apply_multimodal_rot|^apply_rotary")
TURN = 0.3  # radians by which every pair turns


def pairs_of(function: Callable, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return layout, rotated channels and the first of them, by turning one channel at a time."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    real = {name: _real(name, value) for name, value in bound.arguments.items()}
    first = next(name for name, value in bound.arguments.items() if isinstance(value, Tensor))
    shape = bound.arguments[first].shape
    rows = []
    for channel in range(shape[-1]):
        real[first] = torch.zeros(shape)
        real[first][..., channel] = 1.0
        turned = function(**real)
        turned = turned[0] if isinstance(turned, tuple) else turned
        rows.append(turned.reshape(-1, turned.shape[-1])[-1])
    matrix = torch.stack(rows)  # (channel in, channel out)
    moved = (matrix - torch.eye(*matrix.shape)).abs().amax(1) > 1e-6
    together = (matrix.abs() @ matrix.abs().T > 1e-6).fill_diagonal_(False)
    at = int(moved.nonzero()[0])
    step = int(together[at].nonzero()[0]) - at
    count = int(moved.sum())
    layout = {1: "interleaved", count // 2: "half"}.get(step, f"step {step}")
    return {"layout": layout, "rotated": count, "of": shape[-1], "first": at}


def _real(name: str, value: Any) -> Any:
    if not isinstance(value, Tensor):
        return value
    if value.is_complex():
        return torch.full(value.shape, complex(math.cos(TURN), math.sin(TURN)))
    number = {"cos": math.cos(TURN), "sin": math.sin(TURN)}.get(name[:3], 0.0)
    return torch.full(value.shape, number)


def layout_of_functions(modules: list[ModuleType]) -> dict[str, str]:
    """Return the layout of each function of rotation, tried on heads of 16 channels."""
    shapes = {"q": (1, 2, 5, 16), "k": (1, 2, 5, 16), "cos": (1, 5, 16), "sin": (1, 5, 16)}
    vision = {"q": (5, 2, 16), "k": (5, 2, 16), "cos": (5, 16), "sin": (5, 16)}
    pairs: dict[str, str] = {}
    for module in modules:
        for name, function in vars(module).items():
            parameters = (
                [*inspect.signature(function).parameters] if inspect.isfunction(function) else []
            )
            if ROTATION.match(name) and {"q", "k", "cos", "sin"} <= {*parameters}:
                sizes = vision if "vision" in name else shapes
                tensors = {argument: torch.empty(size) for argument, size in sizes.items()}
                try:
                    pairs[name] = pairs_of(function, (), tensors)["layout"]
                except (RuntimeError, TypeError, ValueError, IndexError):
                    continue  # it takes other shapes: its layout stays unknown
    return pairs
