"""Builds docs/museum.md: every architecture of transformers and its positional encoding.

python -m tools.museum            writes the page and its picture
python -m tools.museum --check    says whether the page is stale, changes nothing

The picture differs from machine to machine by a few pixels, so only the text is compared.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.museum.page import IMAGE, PAGE, museum
from tools.museum.picture import png
from tools.museum.rows import rows

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Read the command line; write page and picture, or say whether the page is stale."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="say if it is stale, change nothing")
    table = rows()
    page = museum(table)
    if parser.parse_args().check:
        if (ROOT / PAGE).read_text(encoding="utf-8") != page:
            raise SystemExit(f"stale, run `python -m tools.museum`: {PAGE.as_posix()}")
        return
    (ROOT / IMAGE).write_bytes(png(table, "both"))
    (ROOT / PAGE).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
