"""The files that a student handed in: read within limits, without following a link."""

from __future__ import annotations

import itertools
import math
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from autograde.grading.limits import (
    BESIDE_BYTES,
    BESIDE_FILES,
    DEEPEST,
    ENTRIES,
    NOTEBOOK_BYTES,
    WHY,
)

NOTEBOOK = ".ipynb"
NOTE = (
    "这里原是一个链接或设备文件，评分时已移除 · a link or device was here; grading has removed it\n"
)


class NotGradable(ValueError):
    """The file holds no notebook that could be graded."""

    def __init__(self, why: str) -> None:
        """Keep the beginning of the reason, which may repeat what a student wrote."""
        super().__init__(why[:WHY])


@dataclass(frozen=True)
class Submission:
    """The bytes of a submitted notebook, and those of the files beside it, by relative name."""

    notebook: bytes
    files: dict[str, bytes] = field(default_factory=dict)


def read_submission(notebook: Path, source: Path) -> Submission:
    """Return what was handed in; files of the folder `source`, the course's own, go over it.

    Raises:
        NotGradable: there is no such file, it cannot be read, or it is far too large.
    """
    try:
        remove_links(notebook.parent)
        content = read_notebook(notebook)
        return Submission(content, _together(files_beside(notebook.parent), files_beside(source)))
    except OSError as error:
        raise NotGradable(f"{type(error).__name__}: {error.strerror}") from error


def _together(submitted: dict[str, bytes], own: dict[str, bytes]) -> dict[str, bytes]:
    """Return the course's own files, and of those handed in what is neither below nor above one."""
    folders = {parent.as_posix() for name in own for parent in PurePosixPath(name).parents}
    fitting = {
        name: content
        for name, content in submitted.items()
        if name not in folders
        and not any(parent.as_posix() in own for parent in PurePosixPath(name).parents)
    }
    return {**fitting, **own}


def read_notebook(path: Path) -> bytes:
    """Return the bytes of a submitted notebook; `NotGradable` if it is a link or far too large."""
    size = path.lstat().st_size
    if not is_plain(path):
        raise NotGradable("it is no file")
    if size > NOTEBOOK_BYTES:
        raise NotGradable(f"it has {size} bytes, a notebook at most {NOTEBOOK_BYTES}")
    return path.read_bytes()


def remove_links(folder: Path) -> list[Path]:
    """Put a note in place of every link, pipe and device below `folder`; return where they were.

    nbgrader copies what lies beside a notebook and follows links: one to a teacher's file would
    bring its content to the student, one to an endless device would fill the disk.
    """
    links = [path for path in _looked_at(folder) if not is_plain(path) and not is_folder(path)]
    for path in links:
        path.unlink()
        path.write_text(NOTE, encoding="utf-8")
    return links


def set_aside(folder: Path) -> Path | None:
    """Leave in `folder` its notebooks and the files that grading takes; return where the rest is.

    nbgrader would copy all of it. The rest goes into a new folder beside this one: nothing is lost,
    and nothing is copied, however much it is.
    """
    taken = list(files_taken(folder))
    copied = [one for one in _looked_at(folder) if one.suffix != NOTEBOOK or is_folder(one)]
    if len(copied) == len(taken):
        return None
    kept = [*filter(is_plain, folder.glob(f"*{NOTEBOOK}")), *taken]
    names = (folder.with_name(f"{folder.name}.left_out-{n}") for n in itertools.count(1))
    aside = next(name for name in names if not name.exists())
    folder.rename(aside)
    for path in kept:
        path.parent.mkdir(parents=True, exist_ok=True)
        (aside / path.relative_to(folder)).rename(path)
    return aside


def files_beside(folder: Path) -> dict[str, bytes]:
    """Return the files below `folder` that grading takes, by relative name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_taken(folder)}


def files_taken(folder: Path) -> Iterator[Path]:
    """Yield the plain files below `folder` that grading takes, notebooks left out.

    Files beyond `BESIDE_FILES`, beyond `BESIDE_BYTES` in all, or below `DEEPEST` are left out too.
    """
    count, room = BESIDE_FILES, BESIDE_BYTES
    for path in sorted(_looked_at(folder)):
        size = path.lstat().st_size
        if path.suffix != NOTEBOOK and is_plain(path) and size <= room and count:
            count, room = count - 1, room - size
            yield path


def _looked_at(folder: Path) -> list[Path]:
    return paths_below(folder, deepest=DEEPEST, most=ENTRIES)


def paths_below(folder: Path, *, deepest: float = math.inf, most: float = math.inf) -> list[Path]:
    """Return what lies below a folder, links not followed; at most so many paths.

    A folder that lies `deepest` is returned as it is, and so is one that cannot be opened.
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
    """Return whether a path is a folder: no link to one."""
    return path.is_dir() and not path.is_symlink()


def is_plain(path: Path) -> bool:
    """Return whether a path is a file: no link, pipe, device or folder."""
    return stat.S_ISREG(path.lstat().st_mode)
