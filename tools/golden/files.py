"""Single files of packages too large to install, or in no registry, from `build/golden_files`.

__main__.py says how to fill that folder. The packages' own `__init__` files are never run.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

FOLDER = Path(__file__).parents[2] / "build" / "golden_files"
COMMITS = {  # of repositories in no registry
    "chijames/KERPLE": "73f1ee2d24722cdbe277d473899321218f5cbd00",
    "datamllab/LongLM": "cdbbb061dc76438c46d7e1ddc500f8e4bf255574",
    "facebookresearch/RAM": "eff93c70445cbfcd0f9070c5c231d5466e282fb8",
    "mcleish7/arithmetic": "55af9d5e3d9b2265ae7638b4f2936c9a70538cc4",
}


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
    """Stand in for a module that a file imports, but does not need for its numbers."""
    sys.modules[name] = SimpleNamespace(**members)


def cut(path: Path, name: str, **context: object) -> Any:
    """Return the one class or function of this name in a file; nothing else there is run.

    context: the names that it uses from the file around it.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    definitions = [part for part in ast.walk(tree) if getattr(part, "name", None) == name]
    names: dict[str, Any] = dict(context)
    exec(compile(ast.Module(definitions, []), str(path), "exec"), names)
    return names[name]
