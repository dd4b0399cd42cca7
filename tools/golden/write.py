"""Writes golden files: one upstream, one file, each row of numbers on one line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import torch

from tools.golden import files

FOLDER = Path(__file__).parents[2] / "tests" / "golden"
Cases = Callable[[], Iterator[dict[str, Any]]]


def write_all(goldens: list[tuple[str, str, Cases]]) -> None:
    """Write the golden files named on the command line, or all; SystemExit for another name."""
    names = [cases.__name__ for _, _, cases in goldens]
    if unknown := sorted({*sys.argv[1:]} - {*names}):
        raise SystemExit(f"no golden file {', '.join(unknown)}; there are: {', '.join(names)}")
    torch.set_num_threads(1)
    for library, call, cases in goldens:
        if cases.__name__ in (sys.argv[1:] or names):
            write(library, call, cases)


def write(library: str, call: str, cases: Cases) -> None:
    """Run one upstream from a fixed seed and write its file, each row of numbers on one line."""
    torch.manual_seed(0)
    golden = {
        "library": library,
        "version": installed(library),
        "torch": torch.__version__.partition("+")[0],
        "call": call,
        "note": cases.__doc__,
        "cases": list(cases()),
    }
    text = json.dumps(golden, indent=1, ensure_ascii=False)
    text = re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda row: f"[{' '.join(row[1].split())}]", text)
    (FOLDER / f"{cases.__name__}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{cases.__name__}: {len(text) // 1024} KiB")


def installed(library: str) -> str:
    """Return the version of a library, installed or in build/golden_files, or the commit."""
    if library in files.COMMITS:
        return files.COMMITS[library]
    for distribution in distributions(path=[*sys.path, str(files.FOLDER)]):
        if distribution.name.lower().replace("_", "-") == library:
            return distribution.version
    raise SystemExit(f"{library} is not installed; see the top of this file")
