"""A student's full name; in hanzi, kana or hangul the family name comes first."""

from __future__ import annotations

import unicodedata

FAMILY_FIRST = ("CJK ", "HANGUL ", "HIRAGANA ", "KATAKANA ")  # scripts, as Unicode names letters


def full_name(last_name: str, first_name: str) -> str:
    """Return the full name; in East Asian scripts the family name comes first, without a blank.

    A name that is all in one column keeps its order. Every kind of blank becomes a plain one.
    """
    last, first = last_name.split(), first_name.split()
    ours = last and first and _is_family_first(last[-1][-1]) and _is_family_first(first[0][0])
    words = [*last, *first] if ours else [*first, *last]
    name = "".join(words[:1])
    for word in words[1:]:
        together = _is_family_first(name[-1]) and _is_family_first(word[0])
        name += word if together else f" {word}"
    return name


def _is_family_first(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(FAMILY_FIRST)
