"""How posenc_glass/course.txt.xz was made: the prose of the chapters at that time.

    python -m experiments.glass_text        rewrites it: all weights must then be trained again

Cell by cell, English then Chinese, without the comment marks. The two chapters used for testing
come last.
"""

from __future__ import annotations

import lzma
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTED = ("07_linear_bias", "10_beyond_1d")


def prose(chapter: str) -> str:
    """Return the prose of a chapter's source, a paragraph break between cells."""
    cells = re.findall(r"^# %% \[markdown\] lang=.*\n((?:#.*\n)+)", chapter, re.MULTILINE)
    return "\n".join(re.sub(r"^# ?", "", cell, flags=re.MULTILINE) for cell in cells)


def main() -> None:
    """Write the text, packed."""
    chapters = sorted((ROOT / "chapters").glob("[01][0-9]_*.py"))
    chapters.sort(key=lambda path: path.stem in TESTED)  # the others keep their order
    text = "\n".join(prose(path.read_text(encoding="utf-8")) for path in chapters)
    packed = lzma.compress(text.encode(), preset=9)
    (ROOT / "posenc_glass" / "course.txt.xz").write_bytes(packed)


if __name__ == "__main__":
    main()
