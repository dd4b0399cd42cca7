"""Why a submission could not be graded, in a line, without looking at what the student wrote."""

from __future__ import annotations

import json
from pathlib import Path

from autograde.teacher.printable import printable
from bilingual import Text

LONGEST = 200  # characters of the line
PARSED = 4 * 2**20  # bytes; larger files are left alone: no limit of memory holds here

NOT_JSON = Text(
    en="the file is broken: it is not a notebook",
    zh="文件已损坏：不是notebook",
)
NO_FILE = Text(
    en="no file {name} was handed in",
    zh="没有提交名为{name}的文件",
)
UNREADABLE = Text(
    en="{name} or its folder may not be read: whose is it, and with which rights?",
    zh="没有读取{name}或其目录的权限：请查看它的所有者和权限",
)
NOT_GRADED = Text(en="nbgrader could not grade it", zh="nbgrader无法评分")


def problem(submitted: Path) -> Text:
    """Return why the file `submitted` has no grade, as far as the file itself tells."""
    try:
        if not submitted.is_file():
            return NO_FILE.format(name=submitted.name)
        return NOT_GRADED if _is_json(submitted) else NOT_JSON
    except OSError:
        return UNREADABLE.format(name=submitted.name)


def problem_line(submitted: Path, log: Path) -> Text:
    """Return the same for a terminal: where nothing else is known, the line that the log has."""
    reason = problem(submitted)
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
    log_lines = [line for line in lines if line.strip()]
    if reason != NOT_GRADED or not log_lines:
        return reason
    line = log_lines[-1] if log_lines[0].startswith("Traceback") else log_lines[0]
    shortened = printable(line[:LONGEST])[:LONGEST]  # a code is longer than its letter
    return Text(en=shortened, zh=shortened)


def _is_json(path: Path) -> bool:
    """Return whether a file holds one object of JSON; a large one may, and is not read."""
    if path.stat().st_size > PARSED:
        return True
    try:
        return isinstance(json.loads(path.read_bytes()), dict)
    except (ValueError, RecursionError):  # no JSON, no text, nested too deeply
        return False
