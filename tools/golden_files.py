"""Single files of packages too large to install, taken from `build/golden_files`.

golden.py says how to fill that folder. The packages' own `__init__` files are never run.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

FOLDER = Path(__file__).parents[1] / "build" / "golden_files"


def load(name: str) -> ModuleType:
    """Import the module of this dotted name, without running the packages around it."""
    parents = name.split(".")[:-1]
    for depth in range(1, len(parents) + 1):
        package = ".".join(parents[:depth])
        if package not in sys.modules:
            sys.modules[package] = ModuleType(package)
            sys.modules[package].__path__ = [str(FOLDER.joinpath(*parents[:depth]))]
    return importlib.import_module(name)


def pretend(name: str, **members: object) -> None:
    """Stand in for a module that a file imports for something else than its numbers."""
    sys.modules[name] = SimpleNamespace(**members)
