"""Builds the site into build/site: `make site`.

python -m tools.site                  every chapter that has a notebook, in both languages
python -m tools.site 02_sinusoidal    one chapter
python -m tools.site --frames 36      fewer frames of each slider figure, sooner done
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from rich.progress import Progress

from tools.build import chosen
from tools.contents import ROOT, Chapter
from tools.site.cells import path_of
from tools.site.chapter import write_chapter
from tools.site.edition import run_sphinx, write_contents, write_terms
from tools.site.grid import FRAMES
from tools.site.weight import too_heavy, weights
from tools.site.words import PAGES

START = ROOT / "site" / "start.html"


def build(found: list[Chapter], target: Path, frames: int = FRAMES) -> None:
    """Build the site of these chapters; what lay in `target` before is gone."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder), Path(folder) / "made"
        for language in PAGES:
            (source / language / "files").mkdir(parents=True)
            write_contents(found, source / language, language)
        _write_chapters(found, source, frames)
        write_terms(source / "terms.txt")
        for language in PAGES:
            run_sphinx(source / language, made / language, language, source / "terms.txt")
        shutil.rmtree(target, ignore_errors=True)
        for language in PAGES:  # and not what myst-nb leaves beside them
            shutil.copytree(made / language, target / language)
    shutil.copyfile(START, target / "index.html")
    (target / ".nojekyll").touch()  # a host must not leave out _static


def _write_chapters(found: list[Chapter], source: Path, frames: int) -> None:
    pages = [(chapter, language) for chapter in found for language in PAGES]
    with Progress() as progress, ProcessPoolExecutor(os.cpu_count()) as pool:
        task = progress.add_task("pages", total=len(pages))
        waiting = {
            pool.submit(write_chapter, chapter, source / language, language, frames): chapter.name
            for chapter, language in pages
        }
        for done in as_completed(waiting):
            done.result()
            progress.update(task, advance=1, description=waiting[done])


def main() -> None:
    """Read the command line, build, print what each page weighs; exit status 1 if too much."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument("chapter", nargs="*", help="chapters to build, e.g. 02_sinusoidal")
    parser.add_argument("--frames", type=int, default=FRAMES, help="of each slider figure")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "site")
    options = parser.parse_args()
    found = [
        chapter for chapter in chosen(sorted(options.chapter)) if (ROOT / path_of(chapter)).exists()
    ]
    build(found, options.to, options.frames)
    for name, size in weights(options.to).items():
        print(f"{size / 1e6:6.2f} MB  {name}")
    heavy = too_heavy(options.to)
    if heavy:
        raise SystemExit("heavier than a page may be:\n" + "\n".join(heavy))
    print(options.to / "index.html")


if __name__ == "__main__":
    main()
