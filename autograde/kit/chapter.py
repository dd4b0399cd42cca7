"""The chapters as a reader sees them: titles, minutes, sections and exercises.

`make build` makes `chapters.json` from the headers and cells of `chapters/*.py`: a reader who has
installed the kit does not have these files, and `progress` need not import 122 exercises, and
torch with them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograde.kit.way import Way, goes_through
from bilingual import Text

FILE = Path(__file__).with_name("chapters.json")


@dataclass(frozen=True)
class ListedExercise:
    """What is known of an exercise without importing it: its id, points and minutes."""

    id: str
    points: float
    minutes: int


@dataclass(frozen=True)
class Section:
    """A part of a chapter, from one marked heading to the next.

    minutes: for text, code, figures and questions, without exercises. exercises: id, and the
    shortest way that includes it. quiz: the name of its self-test, if any.
    """

    title: Text
    way: Way
    minutes: int
    exercises: dict[str, Way]
    quiz: str | None = None

    def exercises_on(self, way: Way) -> list[str]:
        """Return the ids of the exercises that `way` includes here."""
        return [name for name, mark in self.exercises.items() if goes_through(way, mark)]


@dataclass(frozen=True)
class Chapter:
    """A chapter; minutes: for all of it, exercises included; exercises: their ids."""

    title: Text
    minutes: int
    exercises: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()


def section_link(chapter: str, number: int, language: str) -> str:
    """Return the address of a section from `index.ipynb`, where JupyterLab scrolls to its cell."""
    return f"{chapter}/{chapter}.ipynb#cell-id={section_id(number, language)}"


def section_id(number: int, language: str) -> str:
    """Return the id of the cell that begins section `number` of a chapter; the opening is 0."""
    return f"section-{number}-{language}"


def _section(title: dict[str, str], **fields: Any) -> Section:
    return Section(Text(**title), **fields)


def _chapter(
    title: dict[str, str],
    minutes: int,
    exercises: Sequence[str],
    sections: Sequence[dict[str, Any]] = (),
) -> Chapter:
    parts = tuple(_section(**fields) for fields in sections)
    return Chapter(Text(**title), minutes, tuple(exercises), parts)


_LISTED: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
CHAPTERS = {name: _chapter(**fields) for name, fields in _LISTED.items()}
EXERCISES = {
    name: ListedExercise(name, **fields)
    for chapter in _LISTED.values()
    for name, fields in chapter["exercises"].items()
}
