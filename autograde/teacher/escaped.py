"""A text that a student chose, as a teacher's terminal may show it."""

from __future__ import annotations


def escaped(text: str) -> str:
    """Return a text on one line that no terminal obeys: what is not printable, as its code."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
