"""The files that a student handed in: read within limits, without following a link."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from autograde.handed_in.escaped import escaped
from autograde.handed_in.limits import (
    BESIDE_BYTES,
    BESIDE_FILES,
    DEEPEST,
    ENTRIES,
    NOTEBOOK_BYTES,
    WHY,
)
from autograde.handed_in.paths import is_folder, is_legible, is_plain, open_plain, paths_below
from bilingual import Text, listed

NOTEBOOK = ".ipynb"
NOTE = (
    "这里原是一个链接或设备文件，评分时已移除 · a link or device was here; grading has removed it\n"
)
CANNOT = Text(
    en="{file}: {why}. Check its owner and permissions.",
    zh="{file}：{why}。请查看它的所有者和权限。",
)
MISSING = Text(en="there is no {file}", zh="没有{file}")
OTHER_NAME = Text(
    en="there is no {file}, only {others}: rename it and grade again",
    zh="没有{file}，却有{others}：请改名后重新评分",
)
NO_PLAIN_FILE = Text(
    en="the notebook is a link, a folder or a device",
    zh="notebook是链接、目录或设备，而不是文件",
)
TOO_LARGE = Text(
    en="it has {size} bytes, and a notebook may have {most}",
    zh="有{size}字节，notebook至多{most}字节",
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
    """Return what was handed in; the course's own files, in `source`, replace submitted ones.

    Links are not read; callers remove them first, because nbgrader copies the folder as well.

    Raises:
        NotGradable: there is no such file, it cannot be read, or it is far too large.
    """
    try:
        content, own = read_notebook(notebook), files_beside(source.resolve())
        return Submission(content, _together(files_beside(notebook.parent), own))
    except OSError as error:
        raise no_access(error) from error


def no_access(error: OSError) -> NotGradable:
    """Return the error for a file or folder that this user cannot read, move or replace."""
    file = os.path.basename(os.fsdecode(error.filename or ""))
    return NotGradable(CANNOT.format(file=ascii(file), why=error.strerror).label())


def _together(submitted: dict[str, bytes], own: dict[str, bytes]) -> dict[str, bytes]:
    """Return the course's own files, and the submitted ones whose paths do not clash with them."""
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
    try:
        if not is_plain(path):
            raise NotGradable(NO_PLAIN_FILE.label())
    except FileNotFoundError:
        raise NotGradable(_missing(path).label()) from None
    with open_plain(path.parent, path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > NOTEBOOK_BYTES:
            raise NotGradable(TOO_LARGE.format(size=size, most=NOTEBOOK_BYTES).label())
        return file.read(NOTEBOOK_BYTES)


def _missing(path: Path) -> Text:
    names = sorted(escaped(one.name) for one in path.parent.glob(f"*{NOTEBOOK}"))
    if names:
        return OTHER_NAME.format(file=path.name, others=listed(names))
    return MISSING.format(file=path.name)


def remove_links(folder: Path) -> list[Path]:
    """Put a note in place of every link, pipe and device below `folder`; return their paths.

    nbgrader copies what lies beside a notebook and follows links: one to a teacher's file would
    bring its content to the student, one to an endless device would fill the disk.
    """
    links = [path for path in looked_at(folder) if not is_plain(path) and not is_folder(path)]
    for path in links:
        path.unlink()
        with path.open("x", encoding="utf-8") as file:  # never through a link that is there again
            file.write(NOTE)
    return links


def files_beside(folder: Path) -> dict[str, bytes]:
    """Return the files below `folder` that grading takes, by relative name.

    A file that grows meanwhile is cut.
    """
    files, left = {}, BESIDE_BYTES
    for path in files_taken(folder):
        with open_plain(folder, path) as file:
            content = file.read(left)
        files[path.relative_to(folder).as_posix()] = content
        left -= len(content)
    return files


def files_taken(folder: Path) -> Iterator[Path]:
    """Yield the plain files below `folder` that grading takes, notebooks left out.

    Files beyond `BESIDE_FILES`, beyond `BESIDE_BYTES` in all, or below `DEEPEST` are left out too,
    and so are files with unprintable names: nbgrader logs the names of the files that it copies.
    """
    files_left, bytes_left = BESIDE_FILES, BESIDE_BYTES
    for path in sorted(looked_at(folder)):
        size = path.lstat().st_size
        fits = path.suffix != NOTEBOOK and size <= bytes_left and files_left
        if fits and is_plain(path) and is_legible(path.relative_to(folder).as_posix()):
            files_left, bytes_left = files_left - 1, bytes_left - size
            yield path


def looked_at(folder: Path) -> list[Path]:
    """Return what lies below `folder`, as far as grading looks."""
    return paths_below(folder, deepest=DEEPEST, most=ENTRIES)
