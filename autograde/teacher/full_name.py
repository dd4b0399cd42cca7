"""A student's name as class lists have it."""

from __future__ import annotations

import unicodedata


def full_name(last_name: str, first_name: str) -> str:
    """Return the name, the last name first; between hanzi there is no blank."""
    last, first = last_name.strip(), first_name.strip()
    if not (last and first):
        return last or first
    return last + ("" if _is_hanzi(last[-1]) and _is_hanzi(first[0]) else " ") + first


def _is_hanzi(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("CJK ")
