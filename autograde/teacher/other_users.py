"""Whether other users of this machine can enter the course folder, as nbgrader leaves it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from bilingual import Text

OPEN = Text(
    en="Other users of this machine can enter {folder}, and read grades, submissions and "
    "solutions/. Close it: chmod 700 {folder}",
    zh="本机的其他用户能进入{folder}，读到成绩、提交和solutions/。请关上：chmod 700 {folder}",
)


def others_can_enter(folder: Path) -> bool:
    """Return whether the modes of a folder and of all above it let everybody in.

    False on Windows, where modes do not show this.
    """
    path = folder.resolve()
    modes = (one.stat().st_mode for one in (path, *path.parents))
    return hasattr(os, "getuid") and all(mode & stat.S_IXOTH for mode in modes)
