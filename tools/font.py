"""Cut the course's own CJK font out of Noto Sans CJK.

    python tools/font.py NotoSansCJK-Regular.ttc

writes `posenc_viz/fonts/PosencSansSC-Regular.otf`: the 3755 common hanzi of GB 2312 level 1, its
punctuation and full-width forms, Latin, Greek, and the mathematical signs that labels use. The
source is any edition of Noto Sans CJK 2.x that holds the face "Noto Sans CJK SC", for instance
https://github.com/notofonts/noto-cjk. The SIL Open Font License 1.1 requires that a changed font
has a name of its own (clause 3), the notice, and the licence: see `posenc_viz/fonts/OFL.txt`.
The same source and fontTools give the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

FACE = "Noto Sans CJK SC"
FAMILY = "Posenc Sans SC"
FILE = "PosencSansSC-Regular"
TARGET = Path(__file__).parents[1] / "posenc_viz" / "fonts" / f"{FILE}.otf"
NOTICE = (
    "© 2014-2021 Adobe (http://www.adobe.com/). "
    "Posenc Sans SC is a subset of Noto Sans CJK SC 2.004 under a name of its own."
)
LICENCE = (
    "This Font Software is licensed under the SIL Open Font License, Version 1.1: "
    "https://openfontlicense.org"
)
SIGNS = "–—‘’“”…·×÷±−∞≈≠≡≤≥≪≫∑∏√∂∫∈∉∥∠⊥∘⊕⊗⟨⟩‖←↑→↓↔⇒⇔①②③④⑤⑥⑦⑧⑨⑩✓✗"


def characters() -> set[str]:
    """Return the characters for the font (those that the source lacks are left out)."""
    latin = map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)])
    greek = map(chr, [*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)])
    symbols = _gb2312(rows=range(0xA1, 0xA4))  # row 1: punctuation; row 3: full-width ASCII
    hanzi = _gb2312(rows=range(0xB0, 0xD8))  # rows 16 to 55: level 1, by pinyin
    return {*latin, *greek, *symbols, *hanzi, *SIGNS}


def cut(source: Path) -> TTFont:
    """Return the renamed subset of the face "Noto Sans CJK SC" in `source`."""
    font = next(face for face in _faces(source) if face["name"].getDebugName(1) == FACE)
    options = Options(
        layout_features=[],
        drop_tables=["BASE", "GDEF", "GPOS", "GSUB", "VORG", "vhea", "vmtx"],
        hinting=False,
        notdef_outline=True,
        recalc_timestamp=False,
    )
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(characters())))
    subsetter.subset(font)
    _rename(font)
    return font


def _faces(source: Path) -> list[TTFont]:
    if source.suffix.lower() in {".ttc", ".otc"}:
        return TTCollection(source, recalcTimestamp=False).fonts
    return [TTFont(source, recalcTimestamp=False)]


def _gb2312(rows: range) -> set[str]:
    codes = (bytes([row, cell]) for row in rows for cell in range(0xA1, 0xFF))
    return {code.decode("gb2312", errors="ignore") for code in codes} - {""}


def _rename(font: TTFont) -> None:
    names = {
        0: NOTICE,
        1: FAMILY,
        2: "Regular",
        3: f"1.0;{FILE}",
        4: FAMILY,
        5: "Version 1.0",
        6: FILE,
        13: LICENCE,
        14: "https://openfontlicense.org",
    }
    font["name"].names = []
    for number, words in names.items():
        font["name"].setName(words, number, 3, 1, 0x409)  # Windows, Unicode, US English
    table = font["CFF "].cff
    table.fontNames = [FILE]
    top = table.topDictIndex[0]
    top.rawDict.update(FullName=FAMILY, FamilyName=FAMILY, Notice=NOTICE)
    for key in ("FullName", "FamilyName", "Notice"):
        vars(top).pop(key, None)  # the reader's copy of the old value


def main() -> None:
    """Write the font and print its size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="Noto Sans CJK, Regular (.ttc or .otf)")
    font = cut(parser.parse_args().source)
    font.save(TARGET)
    print(f"{TARGET.name}: {len(font.getBestCmap())} characters, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
