"""What grading does not take of a student's folder goes aside, where nbgrader does not copy it."""

from __future__ import annotations

import itertools
from pathlib import Path

from autograde.grading.files import NOTEBOOK, files_taken, looked_at
from autograde.grading.paths import is_folder, is_plain


def leave_out(folder: Path) -> Path | None:
    """Leave in `folder` its notebooks and the files that grading takes; return where the rest is.

    nbgrader would copy all of it. The rest goes into a new folder beside this one: nothing is lost,
    and nothing is copied, however much it is.
    """
    files = list(files_taken(folder))
    copied = [one for one in looked_at(folder) if one.suffix != NOTEBOOK or is_folder(one)]
    if len(copied) == len(files):
        return None
    notebooks = list(filter(is_plain, folder.glob(f"*{NOTEBOOK}")))
    names = (folder.with_name(f"{folder.name}.left_out-{n}") for n in itertools.count(1))
    aside = next(name for name in names if not name.exists())
    folder.rename(aside)
    for path in [*notebooks, *files]:
        path.parent.mkdir(parents=True, exist_ok=True)
        (aside / path.relative_to(folder)).rename(path)
    return aside
