"""When a submission was handed in, as a file beside it says: read only where it is a moment.

With an exchange a student writes that file. nbgrader reads all of it, opens what stands in the
place of a time zone as a path, and stops the class at what it cannot read.
"""

from __future__ import annotations

import itertools
import os
import re
from datetime import datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from autograde.grading.paths import is_plain, open_plain

NAME = "timestamp.txt"
LONGEST = 100  # bytes
YEARS = range(1970, 3000)  # at the ends of the calendar there is no other time zone
MOMENT = re.compile(r"[\w:.+\- ]+((?<=[A-Za-z])/[A-Za-z][\w+\-]*)*", re.ASCII)


def handed_in_at(folder: Path) -> datetime | None:
    """Return the moment (UTC) that a submission's timestamp says; None where it says no moment."""
    return moment((read_beside(folder, NAME, LONGEST) or "").strip())


def set_odd_timestamp_aside(folder: Path) -> None:
    """Rename a timestamp that says no moment: the submission then counts as one without.

    So does a folder, a pipe or a link of that name; the new name is one that nothing has.
    """
    path, text = folder / NAME, read_beside(folder, NAME, LONGEST)
    is_empty = text is not None and not text.strip()  # nbgrader takes an empty one for none
    if os.path.lexists(path) and not is_empty and not handed_in_at(folder):
        names = (folder / f"{NAME}.unreadable{n or ''}" for n in itertools.count())
        path.rename(next(name for name in names if not os.path.lexists(name)))


def moment(text: str) -> datetime | None:
    """Return the moment (UTC) that a text says; None where it says no moment."""
    if len(text) > LONGEST or not MOMENT.fullmatch(text):
        return None
    try:
        time = parse_utc(text)
    except Exception:  # dateutil raises whatever it likes
        return None
    return time if time.year in YEARS else None


def read_beside(folder: Path, name: str, most: int) -> str | None:
    """Return a file of at most so many bytes that lies in a student's folder, as text.

    None where there is no such file, where it is larger, or where it may not be read.
    """
    path = folder / name
    try:
        if not is_plain(path):
            return None
        with open_plain(folder, path) as file:
            content = file.read(most + 1)
    except OSError:
        return None
    return content.decode("utf-8", "replace") if len(content) <= most else None
