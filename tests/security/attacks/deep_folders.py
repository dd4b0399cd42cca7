"""More folders within each other, beside the notebook, than Python calls functions."""

from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put folders beside the notebook."""
    for _ in range(1200):
        folder = folder / "d"
        folder.mkdir()
    (folder / "x").write_text("x")


PLAIN = "stops Python's own os.walk, and with it the whole class"
