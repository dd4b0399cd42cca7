"""Tens of thousands of empty files and folders beside the notebook, and a pipe behind them."""

import os
from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    for number in range(20_000):
        (folder / f"{number}").touch()
    os.mkfifo(folder / "z.txt")


PLAIN = "copies all of them, then waits for the pipe"
