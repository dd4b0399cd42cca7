"""The files that a student has put beside the notebook: which of them graded code may see."""

from __future__ import annotations

import stat
from pathlib import Path

BYTES = 16 << 20  # of all files together
COUNT = 200
NOTE = (
    "这里原是一个链接或设备文件，评分时已移除 · a link or device was here; grading has removed it\n"
)


def remove_links(folder: Path) -> list[Path]:
    """Put a note in place of every link, pipe and device below `folder`; return where they were.

    nbgrader copies what lies beside a notebook and follows links: one to a teacher's file would
    bring its content to the student, one to an endless device would fill the disk.
    """
    found = [path for path in _below(folder) if not _is_plain(path)]
    for path in found:
        path.unlink()
        path.write_text(NOTE, encoding="utf-8")
    return found


def beside(folder: Path) -> dict[str, bytes]:
    """Return the plain files below `folder` by relative name, notebooks left out.

    Files beyond `COUNT`, or beyond `BYTES` in all, are left out too.
    """
    found: dict[str, bytes] = {}
    room = BYTES
    for path in sorted(_below(folder)):
        size = path.lstat().st_size
        if path.suffix == ".ipynb" or not _is_plain(path) or size > room or len(found) == COUNT:
            continue
        room -= size
        found[path.relative_to(folder).as_posix()] = path.read_bytes()[:size]
    return found


def _below(folder: Path) -> list[Path]:
    found = []
    for path in folder.iterdir() if folder.is_dir() else []:
        real_folder = path.is_dir() and not path.is_symlink()
        found += _below(path) if real_folder else [path]
    return found


def _is_plain(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)
