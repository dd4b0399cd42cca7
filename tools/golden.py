"""Rebuild tests/golden/*.json: what other people's libraries answer, for the tests to compare with.

The libraries are no part of the course's environment, so this runs in one of its own, by hand,
when an upstream answer is added or renewed. CI never runs it. From the repository's root:

    python3.11 -m venv build/golden
    build/golden/bin/python -m pip install torch==2.13.0
    build/golden/bin/python -m pip install transformers==5.23.0 positional-encodings==6.0.3 \
        x-transformers==2.31.10 mpmath==1.3.0 rotary-embedding-torch==0.9.1
    build/golden/bin/python tools/golden.py          all, or the files named after it

The calls are in golden_NAME.py, one file for each stem of posenc_ref. A golden file names library,
version and call beside the values. Numbers are the shortest decimals that give back the same
float64; a float32 answer is written as that float64.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import golden_learned
import golden_rope
import golden_sinusoidal
import torch

FOLDER = Path(__file__).parents[1] / "tests" / "golden"


def main() -> None:
    """Write the golden files named on the command line, or every one."""
    torch.set_num_threads(1)
    modules = (golden_learned, golden_rope, golden_sinusoidal)
    for library, call, cases in [golden for module in modules for golden in module.GOLDENS]:
        if not sys.argv[1:] or cases.__name__ in sys.argv[1:]:
            write(library, call, cases)


def write(library: str, call: str, cases: Callable[[], Iterator[dict[str, Any]]]) -> None:
    """Run one upstream from a fixed seed and write its file, each row of numbers on one line."""
    torch.manual_seed(0)
    golden = {
        "library": library,
        "version": version(library),
        "torch": torch.__version__.partition("+")[0],
        "call": call,
        "note": cases.__doc__,
        "cases": list(cases()),
    }
    text = json.dumps(golden, indent=1, ensure_ascii=False)
    text = re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda row: f"[{' '.join(row[1].split())}]", text)
    (FOLDER / f"{cases.__name__}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{cases.__name__}: {len(text) // 1024} KiB")


if __name__ == "__main__":
    main()
