"""Builds docs/gallery.md: each kind of panel with its picture, its words and its code.

python -m tools.gallery            writes the page and docs/images/gallery/*.png
python -m tools.gallery --check    says whether the page is stale, changes nothing

Pictures differ from machine to machine by a few pixels, so only the text is compared.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.gallery.page import IMAGES, PAGE, gallery, small_png
from tools.gallery.words import WORDS

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Read the command line; write page and pictures, or say whether the page is stale."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="say if it is stale, change nothing")
    page = gallery()
    if parser.parse_args().check:
        if (ROOT / PAGE).read_text(encoding="utf-8") != page:
            raise SystemExit(f"stale, run `python -m tools.gallery`: {PAGE.as_posix()}")
        return
    (ROOT / IMAGES).mkdir(parents=True, exist_ok=True)
    for name in WORDS:
        (ROOT / IMAGES / f"{name}.png").write_bytes(small_png(name))
    (ROOT / PAGE).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
