"""A student's text, made safe for a teacher's terminal."""

from __future__ import annotations


def escaped(text: str) -> str:
    """Return the text on one line, unprintable characters escaped: terminals do not act on it."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
