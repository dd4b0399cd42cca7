"""A notebook of a tebibyte that takes no space, and others beside it."""

import os
from pathlib import Path

from tests.security.pieces import CHAPTER


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    for name in (f"{CHAPTER}.ipynb", "other.ipynb", f"sub/{CHAPTER}.ipynb"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
        os.truncate(folder / name, 1 << 40)


PLAIN = "would read a tebibyte"
