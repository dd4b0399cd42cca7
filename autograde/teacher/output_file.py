"""A command's file at the path that a teacher gives; it replaces only a file of its own kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from autograde.teacher.errors import CannotBegin, not_written
from bilingual import Text
from bilingual.files import write_whole

LOOKED_AT = 64 * 1024  # bytes of an existing file

OTHER_KIND = Text(
    en="{path} is not a file of the kind that this command writes, so it was not replaced: give "
    "--out a different name.",
    zh="{path}已经存在，而且不是本命令所写的那种文件，因此没有替换：请用--out另取一个名称。",
)


def write_output(path: Path, data: bytes, is_own_kind: Callable[[bytes], bool]) -> None:
    """Write a file whole; `CannotBegin` if that fails, or a file of another kind is there.

    A slip with the shell's completion can name the gradebook or course.toml. is_own_kind: whether
    the command may have written a file, by its first `LOOKED_AT` bytes.
    """
    try:
        if path.is_file():
            with path.open("rb") as file:
                beginning = file.read(LOOKED_AT)
            if beginning and not is_own_kind(beginning):
                raise CannotBegin(OTHER_KIND.format(path=path))
        write_whole(path, data)
    except OSError as error:
        raise not_written(path, error) from error
