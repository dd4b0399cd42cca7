"""The one writer of files that must never be found half written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from secrets import token_hex


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` all at once: a reader sees the old file or the new, never half.

    The old file survives a kill, a full disk or a second writer. Folders are made, a link stays a
    link, a file keeps its mode; a pipe or a device is written to directly. Raises `OSError`, with
    the old file unchanged, if the disk is full or read-only.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # such as /dev/stdout
        return
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        with unfinished.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, unfinished)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
