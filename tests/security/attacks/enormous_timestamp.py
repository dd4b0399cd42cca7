"""Says when it was handed in in a file of a tebibyte."""

import os
from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    (folder / "timestamp.txt").touch()
    os.truncate(folder / "timestamp.txt", 1 << 40)


PLAIN = "would read a tebibyte"
