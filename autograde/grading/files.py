"""The files that a student has put beside the notebook: which of them graded code may see."""

from __future__ import annotations

import stat
from pathlib import Path

BYTES = 16 << 20  # of all files together
COUNT = 200
DEEPEST = 8  # folders within folders
NOTE = (
    "这里原是一个链接或设备文件，评分时已移除 · a link or device was here; grading has removed it\n"
)


def remove_links(folder: Path) -> list[Path]:
    """Put a note in place of every link, pipe and device below `folder`; return where they were.

    nbgrader copies what lies beside a notebook and follows links: one to a teacher's file would
    bring its content to the student, one to an endless device would fill the disk.
    """
    found = [path for path in below(folder) if not is_plain(path)]
    for path in found:
        path.unlink()
        path.write_text(NOTE, encoding="utf-8")
    return found


def beside(folder: Path) -> dict[str, bytes]:
    """Return the plain files below `folder` by relative name, notebooks left out.

    Files beyond `COUNT`, beyond `BYTES` in all, or below `DEEPEST` are left out too.
    """
    found: dict[str, bytes] = {}
    room = BYTES
    for path in sorted(below(folder)):
        size = path.lstat().st_size
        name = path.relative_to(folder)
        fits = size <= room and len(found) < COUNT and len(name.parts) <= DEEPEST
        if path.suffix == ".ipynb" or not is_plain(path) or not fits:
            continue
        room -= size
        found[name.as_posix()] = path.read_bytes()[:size]
    return found


def below(folder: Path) -> list[Path]:
    """Return what lies below a folder, links not followed; however deep it is."""
    found, folders = [], [folder] if folder.is_dir() else []
    while folders:
        for path in folders.pop().iterdir():
            real_folder = path.is_dir() and not path.is_symlink()
            (folders if real_folder else found).append(path)
    return found


def is_plain(path: Path) -> bool:
    """Return whether a path is a file: no link, pipe, device or folder."""
    return stat.S_ISREG(path.lstat().st_mode)
