"""Makes a folder of the file that says when it was handed in, and of where that would be moved."""

from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    for name in ("timestamp.txt", "timestamp.txt.unreadable"):
        (folder / name / "within").mkdir(parents=True)
