"""Says when it was handed in by a link to a folder that is not its own."""

from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    (folder / "timestamp.txt").symlink_to(course)
