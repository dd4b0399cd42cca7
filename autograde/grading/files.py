"""The files that a student handed in: read within limits, without following a link."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from pathlib import Path

NOTEBOOK_BYTES = 50 << 20  # of a submitted notebook, outputs and pasted pictures included
BESIDE_BYTES = 16 << 20  # of all files beside it together
COUNT = 200
DEEPEST = 8  # folders within folders
NOTE = (
    "这里原是一个链接或设备文件，评分时已移除 · a link or device was here; grading has removed it\n"
)


class NotGradable(ValueError):
    """The file holds no notebook that could be graded."""


@dataclass(frozen=True)
class Submission:
    """The bytes of a submitted notebook, and those of the files beside it, by relative name."""

    notebook: bytes
    files: dict[str, bytes] = field(default_factory=dict)


def read_submission(notebook: Path, source: Path) -> Submission:
    """Return what was handed in; files of the folder `source`, the course's own, go over it.

    Raises:
        NotGradable: there is no such file, or it is far too large.
    """
    remove_links(notebook.parent)
    try:
        size = notebook.stat().st_size
        if size > NOTEBOOK_BYTES:
            raise NotGradable(f"it has {size} bytes, a notebook at most {NOTEBOOK_BYTES}")
        content = notebook.read_bytes()
    except OSError as error:
        raise NotGradable(f"{type(error).__name__}: {error.strerror}") from error
    return Submission(content, {**files_beside(notebook.parent), **files_beside(source)})


def remove_links(folder: Path) -> list[Path]:
    """Put a note in place of every link, pipe and device below `folder`; return where they were.

    nbgrader copies what lies beside a notebook and follows links: one to a teacher's file would
    bring its content to the student, one to an endless device would fill the disk.
    """
    links = [path for path in paths_below(folder) if not is_plain(path)]
    for path in links:
        path.unlink()
        path.write_text(NOTE, encoding="utf-8")
    return links


def files_beside(folder: Path) -> dict[str, bytes]:
    """Return the plain files below `folder` by relative name, notebooks left out.

    Files beyond `COUNT`, beyond `BESIDE_BYTES` in all, or below `DEEPEST` are left out too.
    """
    contents: dict[str, bytes] = {}
    room = BESIDE_BYTES
    for path in sorted(paths_below(folder)):
        size = path.lstat().st_size
        name = path.relative_to(folder)
        fits = size <= room and len(contents) < COUNT and len(name.parts) <= DEEPEST
        if path.suffix == ".ipynb" or not is_plain(path) or not fits:
            continue
        room -= size
        contents[name.as_posix()] = path.read_bytes()[:size]
    return contents


def paths_below(folder: Path) -> list[Path]:
    """Return what lies below a folder, links not followed; however deep it is."""
    paths, folders = [], [folder] if folder.is_dir() else []
    while folders:
        for path in folders.pop().iterdir():
            real_folder = path.is_dir() and not path.is_symlink()
            (folders if real_folder else paths).append(path)
    return paths


def is_plain(path: Path) -> bool:
    """Return whether a path is a file: no link, pipe, device or folder."""
    return stat.S_ISREG(path.lstat().st_mode)
