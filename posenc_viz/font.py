"""Decides in which font, and therefore in which language, a label can be drawn.

`fonts/PosencSansSC-Regular.otf` is a renamed subset of Noto Sans CJK SC (SIL Open Font License
1.1, `fonts/OFL.txt`), cut by `tools/font.py`. matplotlib falls back from glyph to glyph only
through a *list* in `font.family`, and never in a label that contains `$…$`: there the first font
draws everything, so it must have both hanzi and ASCII.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text as Words

from bilingual import Text, language

Label = Text | str
FILE = Path(__file__).parent / "fonts" / "PosencSansSC-Regular.otf"
LAST = "DejaVu Sans"  # comes with matplotlib


def _families(shipped: Path) -> list[str]:
    """Register the shipped font with matplotlib; if it is missing, use only matplotlib's own."""
    if not shipped.is_file():
        return [LAST]
    font_manager.fontManager.addfont(shipped)
    return [FT2Font(shipped).family_name, LAST]


def _glyphs(family: str) -> frozenset[str]:
    return frozenset(map(chr, FT2Font(font_manager.findfont(family)).get_charmap()))


FAMILIES = _families(FILE)
FIRST = _glyphs(FAMILIES[0])  # what a label with mathematics can hold
GLYPHS = FIRST | _glyphs(LAST)  # what any other label can hold


def readable(label: Label, separator: str = " · ") -> str:
    """Return `label` in the reader's language, in English where Chinese would show as boxes.

    A character that no font has (a rare hanzi typed by a learner) becomes its code, "U+7374".
    """
    words = label.in_language(language(), separator) if isinstance(label, Text) else label
    glyphs = FIRST if "$" in words else GLYPHS
    if isinstance(label, Text) and not drawable(words, glyphs):
        words = label.en
    return "".join(c if drawable(c, glyphs) else f"U+{ord(c):04X}" for c in words)


def drawable(words: str, glyphs: Collection[str] = GLYPHS) -> bool:
    """Return whether every character of `words` has a glyph (default: in any of our fonts)."""
    return all(character in glyphs or character == "\n" for character in words)


def dress(figure: Figure, size: float) -> None:
    """Give every label of `figure`, ticks included, our fonts; ticks also their `size` (points)."""
    for axes in figure.axes:
        axes.tick_params(which="both", labelsize=size, labelfontfamily=FAMILIES)
    for words in figure.findobj(Words):
        words.set_fontfamily(FAMILIES)
