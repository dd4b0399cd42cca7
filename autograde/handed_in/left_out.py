"""Moves aside the files of a student's folder that grading does not take, nor nbgrader copy."""

from __future__ import annotations

import itertools
from pathlib import Path

from autograde.handed_in.files import NOTEBOOK, files_taken, looked_at
from autograde.handed_in.paths import is_folder, is_legible, is_plain


def leave_out(folder: Path) -> Path | None:
    """Leave in `folder` its notebooks and the files that grading takes; return where the rest is.

    nbgrader would copy every file and log its name. The rest goes into a new folder beside this
    one: nothing is lost, and nothing is copied, however much it is. None if there is no rest.
    """
    files = list(files_taken(folder))
    paths = [one for one in looked_at(folder) if _is_nbgraders(one, folder)]
    if len(paths) == len(files):
        return None
    notebooks = [
        path for path in folder.glob(f"*{NOTEBOOK}") if is_plain(path) and is_legible(path.name)
    ]
    names = (folder.with_name(f"{folder.name}.left_out-{n}") for n in itertools.count(1))
    aside = next(name for name in names if not name.exists())
    folder.rename(aside)
    for path in [*notebooks, *files]:
        path.parent.mkdir(parents=True, exist_ok=True)
        (aside / path.relative_to(folder)).rename(path)
    return aside


def _is_nbgraders(path: Path, folder: Path) -> bool:
    """Return whether nbgrader would copy the file, or log its unprintable name."""
    is_file = path.suffix != NOTEBOOK or is_folder(path)
    return is_file or not is_legible(path.relative_to(folder).as_posix())
