"""What does not belong in `submitted/` is moved to `set_aside/`, never deleted.

nbgrader uses a folder's name as a glob and as a line of text: a folder called `*` would grade the
whole class as one student, a newline in a name would stop the run. `nbgrader_config.py` has such
folders moved before nbgrader looks.
"""

from __future__ import annotations

import re
import sys
from itertools import count
from pathlib import Path

from autograde.collecting.class_list import is_plain_id
from autograde.handed_in.escaped import escaped
from autograde.teacher.errors import CannotBegin
from bilingual import Text

ASIDE = "set_aside"
MOVED = Text(
    en="submitted/ held a folder named “{name}”, which is not a student id: it is now {path}.",
    zh="submitted/里有名为“{name}”的文件夹，不是学号：已移到{path}。",
)
NOT_MOVED = Text(
    en="submitted/ holds a folder named “{name}”, which is not a student id: move it away ({why}).",
    zh="submitted/里有名为“{name}”的文件夹，不是学号：请把它移走（{why}）。",
)


def set_aside(folder: Path, aside: Path, name: str) -> Path:
    """Move a folder into `aside`, under a plain name and a number; return where it is now."""
    aside.mkdir(parents=True, exist_ok=True)
    return folder.rename(free_path(aside, name))


def free_path(aside: Path, name: str) -> Path:
    """Return a free path in `aside` for a folder of this name."""
    plain = re.sub(r"[^\w.@+-]", "_", name)[:100]
    return next(path for number in count(1) if not (path := aside / f"{plain}-{number}").exists())


def set_odd_names_aside(root: Path) -> None:
    """Set aside the folders of `submitted/` whose name is not a plain student id, and print them.

    Raises `CannotBegin` if one cannot be moved.
    """
    submitted = root / "submitted"
    for folder in sorted(submitted.iterdir()) if submitted.is_dir() else ():
        hidden = folder.name.startswith(".")  # nbgrader does not look there
        if folder.is_dir() and not hidden and not is_plain_id(folder.name):
            name = escaped(folder.name)
            try:
                path = set_aside(folder, root / ASIDE, folder.name).relative_to(root)
            except OSError as error:
                raise CannotBegin(NOT_MOVED.format(name=name, why=error.strerror)) from error
            print(MOVED.format(name=name, path=path), file=sys.stderr)
