"""When a submission was handed in: read from a file beside it, if that holds a valid time.

With an exchange a student writes that file. nbgrader reads all of it, opens whatever stands in
place of the time zone as a path, and stops grading the class at a time that it cannot parse.
"""

from __future__ import annotations

import itertools
import os
import re
from datetime import datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from autograde.handed_in.paths import is_plain, open_plain
from autograde.teacher.lateness import is_stand_in

NAME = "timestamp.txt"
LONGEST = 100  # bytes
YEARS = range(1970, 3000)  # at the ends of the calendar other time zones cannot be computed
MOMENT = re.compile(r"[\w:.+\- ]+((?<=[A-Za-z])/[A-Za-z][\w+\-]*)*", re.ASCII)


def handed_in_at(folder: Path) -> datetime | None:
    """Return the time (UTC) in a submission's timestamp file; None if there is no valid time."""
    return moment((read_beside(folder, NAME, LONGEST) or "").strip())


def set_odd_timestamp_aside(folder: Path) -> None:
    """Rename a timestamp file without a valid time: the submission then counts as one without it.

    A folder, a pipe or a link of that name is renamed too; the new name is unused.
    """
    path, text = folder / NAME, read_beside(folder, NAME, LONGEST)
    is_empty = text is not None and not text.strip()  # nbgrader ignores an empty file
    if os.path.lexists(path) and not is_empty and not handed_in_at(folder):
        names = (folder / f"{NAME}.unreadable{n or ''}" for n in itertools.count())
        path.rename(next(name for name in names if not os.path.lexists(name)))


def moment(text: str) -> datetime | None:
    """Return the time (UTC) that a text states; None if it is not a valid time.

    The microsecond that marks an unknown time in the gradebook is dropped.
    """
    if len(text) > LONGEST or not MOMENT.fullmatch(text):
        return None
    try:
        time = parse_utc(text)
    except Exception:  # dateutil raises whatever it likes
        return None
    if is_stand_in(time):
        time = time.replace(microsecond=0)
    return time if time.year in YEARS else None


def read_beside(folder: Path, name: str, most: int) -> str | None:
    """Return the text of a file in a student's folder.

    None if there is no such file, if it has more than `most` bytes, or if it cannot be read.
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
