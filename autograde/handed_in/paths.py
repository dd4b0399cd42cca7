"""Paths in a folder that a student may change: listed and opened without following links."""

from __future__ import annotations

import errno
import math
import os
import stat
import unicodedata
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from bilingual import Text

SWAPPED = Text(
    en="it became a link, a folder or a device while it was being read",
    zh="评分查看期间，它变成了链接、目录或设备",
)


def paths_below(folder: Path, *, deepest: float = math.inf, most: float = math.inf) -> list[Path]:
    """Return the paths of the files below a folder, at most `most`; links are not followed.

    A folder at depth `deepest`, or one that cannot be opened, is returned itself.
    """
    paths, folders = [], [folder] if folder.is_dir() else []
    while folders and len(paths) < most:
        opened = folders.pop()
        depth = len(opened.relative_to(folder).parts)
        try:
            inside = list(opened.iterdir()) if depth < deepest else [opened]
        except OSError:
            inside = [opened]
        for path in inside:
            (folders if path != opened and is_folder(path) else paths).append(path)
    return paths[: None if most == math.inf else int(most)]


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder, not a link to one."""
    return path.is_dir() and not path.is_symlink()


def is_plain(path: Path) -> bool:
    """Return whether a path is a regular file: no link, pipe, device or folder."""
    return stat.S_ISREG(path.lstat().st_mode)


def is_legible(name: str) -> bool:
    """Return whether a name is printable text on one line, so that it may be logged.

    Spaces of other widths are allowed: some systems put them into names by themselves.
    """
    return all(one.isprintable() or unicodedata.category(one) == "Zs" for one in name)


def open_plain(folder: Path, path: Path) -> BinaryIO:
    """Open a file that lies below `folder`, as bytes.

    Since the path was checked, a student may have put a link or a pipe in its place, or in place of
    a folder on the way: neither is followed nor waited for. Raises OSError for them.
    """
    *parents, name = path.relative_to(folder).parts
    with ExitStack() as opened:
        parent = None
        for part in (folder, *parents):
            parent = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
            opened.callback(os.close, parent)
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=parent)
    file = open(descriptor, "rb")  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise OSError(errno.EINVAL, SWAPPED.label(), name)
    return file
