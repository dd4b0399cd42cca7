"""Files whose names are not text, are options, or climb out of the folder."""

import os
from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    for name in (b"\xff\xfe.txt", b"-rf", b"..%2f..%2fx", b"a\nb", b"\xe2\x80\xae.py", b"x" * 255):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("x")
