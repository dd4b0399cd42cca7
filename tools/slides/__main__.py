"""Builds decks of slides into build/slides: `make slides`.

python -m tools.slides                         every chapter, in both languages
python -m tools.slides 05_rope --language zh   one chapter, in Chinese
python -m tools.slides --stops 5               fewer settings of each control, faster

Open build/slides/zh/05_rope.html; S shows the speaker's notes. A deck is made from the pages of the
site, which are kept in build/pages until their sources change: if you have built the site with the
same number of stops, this takes seconds, and an interrupted build goes on where it stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bilingual import Language
from bilingual.setting import ONE_LANGUAGE
from tools.build.contents import ROOT, Chapter
from tools.build.notebooks import named_chapters
from tools.build.pool import JobsFailed, run_all
from tools.site.grid import STOPS
from tools.slides.chapter import write_decks
from tools.slides.export import write_assets


def build(
    chapters: list[Chapter],
    languages: tuple[Language, ...],
    target: Path,
    pages: Path,
    stops: int = STOPS,
) -> list[Path]:
    """Build target/LANGUAGE/NAME.html for each chapter; return their paths.

    pages: the folder of the pages of the site. `JobsFailed` names the chapters that failed, after
    all others are finished.
    """
    for language in languages:
        write_assets(target / language)
    jobs = {
        chapter.name: (write_decks, chapter, languages, target, pages / chapter.name, stops)
        for chapter in chapters
    }
    run_all("decks", jobs)
    return [target / language / f"{one.name}.html" for language in languages for one in chapters]


def main() -> None:
    """Read the command line, build, print where the decks are."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument("chapter", nargs="*", help="chapters to build, e.g. 02_sinusoidal")
    parser.add_argument("--language", choices=ONE_LANGUAGE, action="append", help="only this one")
    parser.add_argument("--stops", type=int, default=STOPS, help="of each control")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "slides")
    parser.add_argument("--pages", type=Path, default=ROOT / "build" / "pages", help="kept here")
    options = parser.parse_args()
    languages = tuple(options.language or ONE_LANGUAGE)
    chapters = named_chapters(sorted(options.chapter))
    try:
        decks = build(chapters, languages, options.to, options.pages, options.stops)
    except JobsFailed as failed:
        raise SystemExit(f"{failed}\nwhat is finished is kept: run this again") from failed
    print(*decks, sep="\n")


if __name__ == "__main__":
    main()
