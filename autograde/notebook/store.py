"""Keeps what a reader has done, in the user's own data folder: one small JSON file per thing.

One file each, so that two notebooks open at once overwrite each other only if both keep the same
thing at the same time: the later one stays. Nothing here raises because of a file: a file that
cannot be read counts as missing, and one that cannot be written is reported in a sentence.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_data_path

from bilingual import Text
from bilingual.files import write_whole

Kind = Literal["exercises", "hints", "quizzes", "reviews", "ways"]

NOT_KEPT = Text(
    en="Your progress could not be saved ({why}): everything else works as before.",
    zh="学习进度未能保存（{why}），其他功能不受影响。",
)


def folder() -> Path:
    """Return the folder of the records (`POSENC_DATA_DIR` moves it, for tests and builds)."""
    path = os.environ.get("POSENC_DATA_DIR")
    return Path(path) if path else user_data_path("posenc-course")


def load(kind: Kind, name: str) -> dict[str, Any]:
    """Return what was kept; {} if nothing was, or if the file is damaged or unreadable.

    Also {} while nbgrader grades: a teacher's own progress has no place on a student's page.
    """
    if _grading():
        return {}
    try:
        values = json.loads(_file(kind, name).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def names(kind: Kind) -> list[str]:
    """Return the names under which something of this kind was kept, sorted."""
    return [] if _grading() else sorted(path.stem for path in (folder() / kind).glob("*.json"))


def keep(kind: Kind, name: str, values: dict[str, Any]) -> Text | None:
    """Keep `values`, whole or not at all; return a sentence if that was not possible.

    Nothing is kept while nbgrader grades: a teacher's progress is not their students'.
    """
    if _grading():
        return None
    try:
        write_whole(_file(kind, name), json.dumps(values).encode("ascii"))
    except OSError as error:
        return NOT_KEPT.format(why=error.strerror or type(error).__name__)
    return None


def _grading() -> bool:
    return os.environ.get("NBGRADER_EXECUTION") == "autograde"


def _file(kind: Kind, name: str) -> Path:
    return folder() / kind / f"{name}.json"
