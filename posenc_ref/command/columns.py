"""A table in a terminal, where a hanzi is two columns wide."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows under one another, each column as wide as its widest cell; the first is a head.

    Columns with nothing below the head are left out.
    """
    filled = [i for i in range(len(rows[0])) if any(row[i] for row in rows[1:])]
    widths = [max(width(row[i]) for row in rows) for i in filled]
    lines = [
        "  ".join(row[i] + " " * (w - width(row[i])) for i, w in zip(filled, widths, strict=True))
        for row in rows
    ]
    rule = "  ".join("─" * w for w in widths)
    return "\n".join(line.rstrip() for line in (lines[0], rule, *lines[1:]))


def width(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)
