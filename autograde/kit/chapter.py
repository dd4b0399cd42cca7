"""The chapters as a reader meets them: what each is called, how long it takes, what it asks.

`chapters.json` is built from the headers and cells of `chapters/*.py` by `make build`: a reader who
has installed the kit has no such files, and 13 names are read without importing 119 exercises.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bilingual import Text

FILE = Path(__file__).with_name("chapters.json")


@dataclass(frozen=True)
class Chapter:
    """What a reader calls it; minutes: for its text and its exercises together; exercises: ids."""

    title: Text
    minutes: int
    exercises: tuple[str, ...] = ()


def _chapter(title: dict[str, str], minutes: int, exercises: list[str]) -> Chapter:
    return Chapter(Text(**title), minutes, tuple(exercises))


def _read() -> dict[str, Chapter]:
    listed: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: _chapter(**fields) for name, fields in listed.items()}


CHAPTERS = _read()
