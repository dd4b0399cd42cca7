"""The files of a study folder: which there are, and those kept as they once were."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from bilingual.files import write_whole

KEPT = "before-update"  # the folder, beside a learner's file, of that file as it once was


def keep(path: Path, data: bytes, now: datetime, reason: str = "") -> Path:
    """Write `data`, what `path` held at the time `now`, into `before-update/`; return that file.

    No kept file is ever overwritten; one with the same bytes serves.
    """
    stem = ".".join(filter(None, (path.stem, reason, now.strftime("%Y-%m-%dT%H-%M-%S"))))
    for again in chain([""], (f"-{number}" for number in count(2))):
        kept = path.parent / KEPT / f"{stem}{again}{path.suffix}"
        there = bytes_or_none(kept)
        if there is None:
            write_whole(kept, data)
        if there in (None, data):
            return kept
    raise AssertionError("count() has no end")


def bytes_or_none(path: Path) -> bytes | None:
    """Return what is in the file, None if there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def files_below(folder: Path) -> list[Path]:
    """Return the files in `folder` and below, relative to it; none that is hidden, no bytecode."""
    names = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    hidden = re.compile(r"\..*|__pycache__")
    return [name for name in names if not any(map(hidden.fullmatch, name.parts))]
