"""What does not belong into `submitted/` is moved to `set_aside/`, never deleted.

nbgrader takes the name of a folder for a glob and for a line of text: one called `*` would grade
the whole class as one student, one with a newline would stop the run. `nbgrader_config.py` has them
moved before nbgrader looks.
"""

from __future__ import annotations

import re
import sys
from itertools import count
from pathlib import Path

from autograde.collecting.class_list import is_plain_id
from autograde.teacher.errors import CannotBegin
from bilingual import Text

ASIDE = "set_aside"
MOVED = Text(
    en="submitted/ held a folder named {name}, which is not a student id: it is now {place}.",
    zh="submitted/里有名为{name}的文件夹，不是学号：已移到{place}。",
)
NOT_MOVED = Text(
    en="submitted/ holds a folder named {name}, which is not a student id: move it away ({why}).",
    zh="submitted/里有名为{name}的文件夹，不是学号：请把它移走（{why}）。",
)


def set_aside(folder: Path, places: Path, name: str) -> Path:
    """Move a folder into `places`, under a plain name and a number; return where it is now."""
    places.mkdir(parents=True, exist_ok=True)
    return folder.rename(free_place(places, name))


def free_place(places: Path, name: str) -> Path:
    """Return where a folder of this name goes in `places`."""
    plain = re.sub(r"[^\w.@+-]", "_", name)[:100]
    return next(
        place for number in count(1) if not (place := places / f"{plain}-{number}").exists()
    )


def set_odd_names_aside(course: Path) -> None:
    """Move the folders of `submitted/` aside that no student id can be the name of, and say so.

    Raises `CannotBegin` where one cannot be moved.
    """
    submitted = course / "submitted"
    for folder in sorted(submitted.iterdir()) if submitted.is_dir() else ():
        hidden = folder.name.startswith(".")  # nbgrader does not look there
        if folder.is_dir() and not hidden and not is_plain_id(folder.name):
            name = ascii(folder.name)
            try:
                place = set_aside(folder, course / ASIDE, folder.name).relative_to(course)
            except OSError as error:
                raise CannotBegin(NOT_MOVED.format(name=name, why=error.strerror)) from error
            print(MOVED.format(name=name, place=place), file=sys.stderr)
