"""What a reason repeats of an answer: enough to see what it was, whatever its size."""

from __future__ import annotations

from typing import Any

LONGEST = 300


def brief(value: Any) -> str:
    """Return the repr of a value, cut to 300 characters."""
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
