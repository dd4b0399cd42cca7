"""Finds the names of the reference that an answer uses: class grading has no reference."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

REFERENCE = "posenc_ref"
LOOKED_UP = {"LOAD_GLOBAL", "IMPORT_NAME"}


def reference_names(function: Any) -> tuple[str, ...]:
    """Return the names that `function`, or a function of the notebook that it calls, looks up."""
    return tuple(sorted(_names_in(function, set())))


def _names_in(function: Any, visited: set[int]) -> set[str]:
    if not isinstance(function, FunctionType) or id(function) in visited:
        return set()
    visited.add(id(function))
    names: set[str] = set()
    for name in set(_names(function.__code__)):
        value = function.__globals__.get(name)
        if REFERENCE in (_home(value), name.partition(".")[0]):
            names.add(name)
        elif getattr(value, "__module__", None) == function.__module__:
            names |= _names_in(value, visited)
    return names


def _names(code: CodeType) -> Iterator[str]:
    # not co_names, which has the names of attributes too, such as append
    yield from (step.argval for step in dis.get_instructions(code) if step.opname in LOOKED_UP)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):  # a function within the function
            yield from _names(constant)


def _home(value: Any) -> str:
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return str(module).partition(".")[0]
