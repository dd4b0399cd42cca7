"""The sections of a chapter: title, way, minutes, exercises and quiz of each."""

from __future__ import annotations

from collections.abc import Iterable

from nbformat import NotebookNode

from autograde.kit.chapter import Section
from autograde.kit.way import WAYS
from bilingual import Text
from tools.build.chapter_text import heading
from tools.build.minutes import quiz_name, reading_minutes


def begins_section(cell: NotebookNode) -> bool:
    """Return whether this cell of a chapter's text is the English one that begins a section."""
    return "way" in cell.metadata and "lang" in cell.metadata


def sections(cells: list[NotebookNode]) -> tuple[Section, ...]:
    """Return the sections of a chapter, from its cells as written; () if none is marked."""
    starts = [index for index, cell in enumerate(cells) if begins_section(cell)]
    ends = [*starts[1:], len(cells)] if starts else []
    parts = [cells[start:end] for start, end in zip(starts, ends, strict=True)]
    return tuple(_section(part) for part in parts)


def _section(cells: list[NotebookNode]) -> Section:
    english, chinese = cells[:2]
    way = english.metadata["way"]
    exercises = {
        cell.metadata["exercise"]: max(way, cell.metadata.get("way", way), key=WAYS.index)
        for cell in cells
        if "exercise" in cell.metadata
    }
    return Section(
        title=Text(en=heading(english), zh=heading(chinese)),
        way=way,
        minutes=reading_minutes(cells),
        exercises=exercises,
        quiz=_first(map(quiz_name, cells)),
    )


def _first(names: Iterable[str | None]) -> str | None:
    return next(filter(None, names), None)
