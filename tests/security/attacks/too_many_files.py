"""More than ten thousand empty files beside the notebook, and a pipe behind them."""

import os
from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    for number in range(10_001):
        (folder / f"{number}").touch()
    os.mkfifo(folder / "z.txt")


PLAIN = "copies all of them, then waits for the pipe"
