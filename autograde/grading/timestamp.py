"""When a submission was handed in, as a file beside it says: read only where it is a moment.

With an exchange a student writes that file. nbgrader reads all of it, opens what stands in the
place of a time zone as a path, and stops the class at what it cannot read.
"""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

from nbgrader.utils import parse_utc

from autograde.grading.files import is_plain

NAME = "timestamp.txt"
LONGEST = 100  # bytes
YEARS = range(1970, 3000)  # at the ends of the calendar there is no other time zone
MOMENT = re.compile(r"[\w:.+\- ]+((?<=[A-Za-z])/[A-Za-z][\w+\-]*)*", re.ASCII)


def set_odd_timestamp_aside(folder: Path) -> None:
    """Rename a timestamp that says no moment: the submission then counts as one without.

    So does a folder, a pipe or a link of that name; the new name is one that nothing has.
    """
    path = folder / NAME
    if os.path.lexists(path) and not (is_plain(path) and _is_moment(path)):
        names = (folder / f"{NAME}.unreadable{n or ''}" for n in itertools.count())
        path.rename(next(name for name in names if not os.path.lexists(name)))


def _is_moment(path: Path) -> bool:
    with path.open("rb") as file:
        text = file.read(LONGEST + 1).decode("utf-8", "replace").strip()
    if not text:
        return True  # nbgrader takes it for none
    if len(text) > LONGEST or not MOMENT.fullmatch(text):
        return False
    try:
        return parse_utc(text).year in YEARS
    except Exception:  # dateutil raises whatever it likes
        return False
