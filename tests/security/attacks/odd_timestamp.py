"""Says that it was handed in at a moment whose time zone is a file that never ends."""

from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    (folder / "timestamp.txt").write_text("2026-09-14 12:15:00 /proc/kmsg")
