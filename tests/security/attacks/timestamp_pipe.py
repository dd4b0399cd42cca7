"""Puts a pipe, and behind it a folder, where the moment of handing in would stand."""

import os
from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    os.mkfifo(folder / "timestamp.txt")
    (folder / "timestamp.txt.unreadable").mkdir()
