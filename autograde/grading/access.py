"""Access to what was handed in: a student chooses the modes of files, and nbgrader copies them."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from autograde.grading.limits import DEEPEST, ENTRIES
from bilingual import Text

LINK = Text(en="a link in place of a folder", zh="是链接，而不是文件夹")


def give_access(folder: Path) -> None:
    """Let this user read what lies in `folder` and change the folders, as far as they are theirs.

    Links are not followed; what is deeper or more than grading looks at stays as it is. Raises
    NotADirectoryError for a folder that is a link, or lies in one: it can be anybody's.
    """
    if folder.is_symlink() or folder.parent.is_symlink():
        raise NotADirectoryError(errno.ENOTDIR, LINK.label(), str(folder))
    _add_mode(folder)
    room = ENTRIES
    for place, folders, files in os.walk(folder):
        room -= len(folders) + len(files)
        for name in (*folders, *files):
            _add_mode(Path(place, name))
        if room < 0 or len(Path(place).relative_to(folder).parts) >= DEEPEST:
            folders.clear()


def _add_mode(path: Path) -> None:
    with suppress(OSError):  # another user's: whoever reads it says so
        mode = path.lstat().st_mode
        needed = stat.S_IRWXU * stat.S_ISDIR(mode) | stat.S_IRUSR * stat.S_ISREG(mode)
        if needed & ~mode:
            path.chmod(stat.S_IMODE(mode) | needed)
