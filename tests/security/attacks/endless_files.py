"""Puts a pipe, and links to devices and to files that never end, beside the notebook."""

import os
from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files beside the notebook."""
    os.mkfifo(folder / "pipe")
    for name in ("/dev/zero", "/dev/tty", "/proc/kmsg", "/dev/stdin"):
        (folder / Path(name).name).symlink_to(name)


PLAIN = "never ends: it reads the device"
