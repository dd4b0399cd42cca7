"""Why a teacher's command stops, in one line."""

from __future__ import annotations

from pathlib import Path

from bilingual import Text

CONFIG = "nbgrader_config.py"

NO_COURSE = Text(
    en="{folder} has no nbgrader_config.py: run this in the course folder.",
    zh="{folder}中没有nbgrader_config.py：请在课程目录中运行。",
)
NOT_WRITTEN = Text(en="{path} cannot be written: {error}.", zh="{path}无法写入：{error}。")


class CannotBegin(Exception):
    """A command cannot do its work; the message says why and what to do."""

    def __init__(self, message: object) -> None:
        """Show the message, a Text or another error, in the reader's language."""
        super().__init__(str(message))


def require_course(folder: Path) -> None:
    """Raise `CannotBegin` unless `folder` is a course folder."""
    if not (folder / CONFIG).is_file():
        raise CannotBegin(NO_COURSE.format(folder=folder))


def not_written(path: Path | str, error: OSError) -> CannotBegin:
    """Return the error that says which file cannot be written, and why."""
    return CannotBegin(NOT_WRITTEN.format(path=path, error=error.strerror or type(error).__name__))


def first_line(error: BaseException) -> str:
    """Return an error's type and the first line of its message; SQLAlchemy's have many lines."""
    return f"{type(error).__name__} {error}".strip().partition("\n")[0]
