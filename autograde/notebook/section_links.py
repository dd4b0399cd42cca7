"""Lines of text with links to sections of the course, as plain text and as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TypeAlias

from autograde.kit.chapter import CHAPTERS, section_link
from bilingual import Text, language

HANGING = "padding-left: 4ch; text-indent: -4ch"


@dataclass(frozen=True)
class Link:
    """A text that leads to an address."""

    text: str
    address: str


Line: TypeAlias = list[str | Link]


def link_to(text: Text | str, chapter: str, number: int) -> Link:
    """Return a link to section `number` of a chapter, in the reader's language.

    The address is relative to the running notebook's folder: a chapter's, or `study/`.
    """
    cell = "zh" if language() == "zh" else "en"  # in both languages the English cell comes first
    above = "../" if Path.cwd().name in CHAPTERS else ""
    label = text if isinstance(text, str) else text.label()
    return Link(label, f"{above}{section_link(chapter, number, cell)}")


def as_text(lines: Iterable[Line]) -> str:
    """Return the lines as plain text, without addresses."""
    texts = ([p.text if isinstance(p, Link) else p for p in line] for line in lines)
    return "\n".join("".join(parts) for parts in texts)


def as_html(lines: Iterable[Line]) -> str:
    """Return the lines as HTML in a monospace font, so that bars line up.

    A line that a narrow page wraps continues indented: only bars stand at the left edge.
    """
    rows = ("".join(map(_html, line)) for line in lines)
    return "<pre>" + "".join(f'<div style="{HANGING}">{row}\n</div>' for row in rows) + "</pre>"


def _html(part: str | Link) -> str:
    if isinstance(part, str):
        return escape(part)
    return f'<a href="{escape(part.address)}">{escape(part.text)}</a>'
