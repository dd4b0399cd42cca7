"""Sizes, colours, strokes and line breaks shared by all panels: for a lecture hall, for all eyes.

Colours are those of Okabe and Ito (2008, "Color Universal Design"), without the yellow, which is
lost on white. Line style and marker differ too, so that no curve depends on its hue alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

SMALL = 12.0  # points: ticks, axis labels, legends, numbers in cells
LARGE = 13.5  # points: titles
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
LINES = ("-", "--", "-.", ":", (0, (8, 2)), (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
MARK = "#D55E00"  # what is highlighted
QUIET = "#767676"  # circles, guides
SEQUENTIAL = "viridis"
ON_COLOUR = "on-colour"  # the gid of a text on a coloured cell: a dark theme leaves it as it is


def ink(rgba: Sequence[float]) -> str:
    """Return the colour of legible text on `rgba`: white if that is dark, else black."""
    red, green, blue, alpha = rgba
    luma = 0.299 * red + 0.587 * green + 0.114 * blue  # ITU-R BT.601
    return "white" if alpha > 0 and luma < 0.5 else "black"


def one_line(words: str) -> str:
    """Return `words` on one line, with single blanks."""
    return " ".join(words.split())


def wrap(words: str, width: float) -> str:
    """Break `words` into lines of at most `width` Latin letters; a hanzi counts for two.

    Breaks fall at blanks and after hanzi, never inside `$…$`, and stay where they already are.
    """
    return "\n".join(_wrap_line(line, width) for line in words.split("\n"))


def _wrap_line(words: str, width: float) -> str:
    lines = [""]
    for piece in pieces(words):
        if lines[-1] and columns(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines)


def pieces(words: str) -> list[str]:
    """Cut after each blank and each hanzi; full-width punctuation stays with what it closes."""
    cut = [""]
    maths = False
    for character, following in pairwise([*words, ""]):
        cut[-1] += character
        maths ^= character == "$"
        closing = bool(following) and unicodedata.category(following) in {"Po", "Pe", "Pf"}
        if not maths and not closing and (character == " " or _wide(character)):
            cut.append("")
    return [piece for piece in cut if piece]


def letters(pixels: float, dpi: float, size: float = SMALL) -> float:
    """Return how many Latin letters of `size` points fit beside one another in `pixels`."""
    return pixels / (0.56 * size * dpi / 72)  # an average letter is 0.56 of the size wide


def columns(words: str) -> int:
    """Return the width of `words` in Latin letters."""
    return sum(2 if _wide(character) else 1 for character in words)


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in {"W", "F"}
