"""The files of a study folder: which there are, and the earlier copies of them."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from bilingual.files import write_whole

COPIES = "before-update"  # the folder, beside a learner's file, with earlier copies of it


def keep(path: Path, data: bytes, now: datetime, reason: str = "") -> Path:
    """Copy `data`, what `path` held at the time `now`, into `before-update/`; return the copy.

    No copy is ever overwritten; one with the same bytes is used again.
    """
    stem = ".".join(filter(None, (path.stem, reason, now.strftime("%Y-%m-%dT%H-%M-%S"))))
    for suffix in chain([""], (f"-{number}" for number in count(2))):
        copy = path.parent / COPIES / f"{stem}{suffix}{path.suffix}"
        present = bytes_or_none(copy)
        if present is None:
            write_whole(copy, data)
        if present in (None, data):
            return copy
    raise AssertionError("count() has no end")


def bytes_or_none(path: Path) -> bytes | None:
    """Return what is in the file, None if there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def files_below(folder: Path) -> list[Path]:
    """Return the files in `folder` and below, relative to it, without hidden files and bytecode."""
    names = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    hidden = re.compile(r"\..*|__pycache__")
    return [name for name in names if not any(map(hidden.fullmatch, name.parts))]
