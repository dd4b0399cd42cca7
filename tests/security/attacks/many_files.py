"""Hundreds of files beside the notebook, and one that is sparse and enormous."""

import os
from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    for number in range(500):
        (folder / f"{number}.txt").write_text("x")
    (folder / "sparse.bin").touch()
    os.truncate(folder / "sparse.bin", 1 << 34)


PLAIN = "would copy 16 GiB"
