"""The marks in a sentence of the course: `code` and *emphasis*."""

from __future__ import annotations

import re

CODE = re.compile(r"`([^`\n]+)`")
# a star after a letter multiplies, unless hanzi stand inside: q*k*v, but q的*最后*轴
EMPHASIS = re.compile(
    r"(?:(?<![A-Za-z0-9_*)\]])|(?=\*[一-鿿]))\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])"
    r"\*(?:(?![A-Za-z0-9_*(])|(?<=[一-鿿]\*))"
)
EITHER = re.compile(f"{CODE.pattern}|{EMPHASIS.pattern}")


def without_emphasis(text: str) -> str:
    """Return plain text: the stars of emphasis left out, those of code and formulas kept."""
    return EITHER.sub(lambda match: match[2] or match[0], text)
