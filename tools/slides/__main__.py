"""Builds decks of slides into build/slides: `make slides`.

python -m tools.slides                         every chapter, in both languages
python -m tools.slides 05_rope --language zh   one chapter, in Chinese
python -m tools.slides --frames 36             fewer frames of each slider figure, sooner done

Open build/slides/zh/05_rope.html; S shows the speaker's notes. A deck is made from the pages of the
site, which are kept in build/pages: whoever has built the site waits no longer.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import nbformat

from bilingual import Language
from tools.build.contents import ROOT, Chapter
from tools.build.notebooks import named_chapters
from tools.build.pool import JobsFailed, run_all
from tools.site.chapter import write_chapter
from tools.site.grid import FRAMES
from tools.site.words import PAGES
from tools.slides.deck import slides
from tools.slides.export import write_assets, write_deck


def build(
    chapters: list[Chapter],
    languages: tuple[Language, ...],
    target: Path,
    pages: Path,
    frames: int = FRAMES,
) -> list[Path]:
    """Build target/LANGUAGE/NAME.html for each chapter; return their paths.

    pages: the folder of the pages of the site. `JobsFailed` names the chapters that failed.
    """
    run_all("chapters", {c.name: (write_chapter, c, pages / c.name, frames) for c in chapters})
    decks = []
    for language in languages:
        folder = target / language
        write_assets(folder)
        for chapter in chapters:
            source = pages / chapter.name / language
            shutil.copytree(source / "files", folder, dirs_exist_ok=True)
            page = nbformat.read(source / f"{chapter.name}.ipynb", as_version=4)
            decks.append(folder / f"{chapter.name}.html")
            write_deck(slides(page, chapter, language), decks[-1], language)
    return decks


def main() -> None:
    """Read the command line, build, print where the decks are."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument("chapter", nargs="*", help="chapters to build, e.g. 02_sinusoidal")
    parser.add_argument("--language", choices=PAGES, action="append", help="only this one")
    parser.add_argument("--frames", type=int, default=FRAMES, help="of each slider figure")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "slides")
    parser.add_argument("--pages", type=Path, default=ROOT / "build" / "pages", help="kept here")
    options = parser.parse_args()
    languages = tuple(options.language or PAGES)
    chapters = named_chapters(sorted(options.chapter))
    try:
        decks = build(chapters, languages, options.to, options.pages, options.frames)
    except JobsFailed as failed:
        raise SystemExit(f"{failed}\nwhat is finished is kept: run this again") from failed
    print(*decks, sep="\n")


if __name__ == "__main__":
    main()
