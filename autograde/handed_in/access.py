"""Access to submitted files: a student chooses their modes, and nbgrader copies the modes."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from autograde.handed_in.limits import DEEPEST, ENTRIES
from bilingual import Text

LINK = Text(en="a link in place of a folder", zh="是链接，而不是文件夹")


def give_access(folder: Path) -> None:
    """Let this user read the files in `folder` and change its folders, as far as they own them.

    Links are not followed; files beyond the depth or number that grading looks at stay as they
    are. Raises NotADirectoryError if `folder` or its parent is a link: it can be anybody's.
    """
    if folder.is_symlink() or folder.parent.is_symlink():
        raise NotADirectoryError(errno.ENOTDIR, LINK.label(), str(folder))
    _add_mode(folder)
    left = ENTRIES
    for path, folders, files in os.walk(folder):
        left -= len(folders) + len(files)
        for name in (*folders, *files):
            _add_mode(Path(path, name))
        if left < 0 or len(Path(path).relative_to(folder).parts) >= DEEPEST:
            folders.clear()


def _add_mode(path: Path) -> None:
    with suppress(OSError):  # another user's: reading it will report that
        mode = path.lstat().st_mode
        needed = stat.S_IRWXU * stat.S_ISDIR(mode) | stat.S_IRUSR * stat.S_ISREG(mode)
        if needed & ~mode:
            path.chmod(stat.S_IMODE(mode) | needed)
