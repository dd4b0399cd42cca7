"""Why a submission could not be graded, in one line."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from autograde.handed_in.cells import read_cells, read_json
from autograde.handed_in.escaped import escaped
from autograde.handed_in.files import NotGradable
from autograde.kit.chapter import CHAPTERS
from bilingual import Text

LONGEST_LINE = 200  # characters of the line
PARSED = 4 * 2**20  # bytes; larger files are not parsed: this process has no memory limit

EMPTY = Text(en="the file is empty (0 bytes)", zh="文件是空的（0字节）")
NOT_JSON = Text(
    en="the file is broken: it is not a notebook",
    zh="文件已损坏：不是notebook",
)
NO_FILE = Text(
    en="no file {name} was handed in",
    zh="没有提交名为{name}的文件",
)
UNREADABLE = Text(
    en="{name} or its folder cannot be read: check the owner and permissions",
    zh="没有读取{name}或其目录的权限：请查看它的所有者和权限",
)
OTHER_CHAPTER = Text(
    en="none of this chapter's cells is in it: is it another chapter's notebook?",
    zh="里面没有本章的任何单元格：是不是别的章节的notebook？",
)
NOT_GRADED = Text(en="nbgrader could not grade it", zh="nbgrader无法评分")


def problem(submitted: Path) -> Text:
    """Return why the file `submitted` has no grade, as far as the file itself shows it."""
    try:
        if not submitted.is_file():
            return NO_FILE.format(name=submitted.name)
        if submitted.stat().st_size > PARSED:
            return NOT_GRADED
        content = submitted.read_bytes()
    except OSError:
        return UNREADABLE.format(name=submitted.name)
    if why := not_a_notebook(content):
        return why
    return NOT_GRADED if _may_be_of(submitted.stem, content) else OTHER_CHAPTER


def not_a_notebook(content: bytes) -> Text | None:
    """Return why a file's content is not a notebook; None if it is one, or too large to parse."""
    if not content:
        return EMPTY
    if len(content) > PARSED:
        return None
    try:
        notebook = read_json(content)
    except (ValueError, RecursionError):  # no JSON, no text, nested too deeply
        return NOT_JSON
    return None if isinstance(notebook, dict) and "cells" in notebook else NOT_JSON


def chapter_of(names: Collection[str | None]) -> str | None:
    """Return the first chapter that has an exercise among the grade ids `names`."""
    exercises = {(name or "").removesuffix("-answer") for name in names}
    return next(
        (name for name, one in CHAPTERS.items() if not exercises.isdisjoint(one.exercises)), None
    )


def problem_line(submitted: Path, log: Path) -> Text:
    """Return the reason for a terminal: the log's line, unless the file itself shows the reason."""
    reason = problem(submitted)
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
    log_lines = [line for line in lines if line.strip()]
    if reason in (EMPTY, NOT_JSON, OTHER_CHAPTER) or not log_lines:
        return reason
    line = log_lines[-1] if log_lines[0].startswith("Traceback") else log_lines[0]
    shortened = escaped(line[:LONGEST_LINE])[
        :LONGEST_LINE
    ]  # an escape is longer than its character
    return Text(en=shortened, zh=shortened)


def _may_be_of(chapter: str, content: bytes) -> bool:
    """Return whether an exercise of the chapter is among the cells; True if that is unknown."""
    exercises = CHAPTERS[chapter].exercises if chapter in CHAPTERS else {}
    try:
        names = {(cell.name or "").removesuffix("-answer") for cell in read_cells(content)}
    except NotGradable:  # there is another reason
        return True
    return not exercises or not names.isdisjoint(exercises)
