"""Builds the site into build/site: `make site`.

python -m tools.site                  every chapter, in both languages
python -m tools.site 02_sinusoidal    one chapter
python -m tools.site --stops 5        fewer settings of each control, faster

The pages of a chapter are kept in build/pages: after an interruption, the next build reuses them.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from bilingual.setting import ONE_LANGUAGE
from tools.build import contents
from tools.build.contents import ROOT, Chapter
from tools.build.notebooks import named_chapters
from tools.build.pool import JobsFailed, run_all
from tools.site.chapter import write_chapter
from tools.site.edition import run_sphinx, write_contents, write_museum, write_terms
from tools.site.grid import STOPS
from tools.site.weight import too_heavy, weights

START = Path(__file__).with_name("start.html")
MARKS = {".nojekyll", "index.html"}  # the files by which an earlier site is known


def build(chapters: list[Chapter], target: Path, pages: Path, stops: int = STOPS) -> None:
    """Build the site of these chapters; `target`, an earlier site, is replaced.

    pages: the folder where the finished pages of each chapter are kept for the next build.
    `JobsFailed` names the chapters that failed, after all others are finished.
    """
    write_pages(chapters, pages, stops)
    write_site(chapters, target, pages)


def require_replaceable(target: Path) -> None:
    """Raise FileExistsError unless `target` is absent, empty, or an earlier site."""
    if target.is_dir():
        names = {path.name for path in target.iterdir()}
        if not names or names >= MARKS:
            return
    if target.exists():
        raise FileExistsError(f"{target} must be empty or an earlier site; it is left as it is")


def write_pages(chapters: list[Chapter], pages: Path, stops: int) -> None:
    """Run the chapters and write their pages; those that are finished stay as they are."""
    run_all("chapters", {c.name: (write_chapter, c, pages / c.name, stops) for c in chapters})


def write_site(chapters: list[Chapter], target: Path, pages: Path) -> None:
    """Make a site from finished pages; `target`, an earlier site, is replaced."""
    require_replaceable(target)
    course = contents.chapters()
    with tempfile.TemporaryDirectory() as folder:
        source, html = Path(folder), Path(folder) / "html"
        terms = source / "terms.txt"
        write_terms(terms)
        for language in ONE_LANGUAGE:
            for chapter in chapters:
                shutil.copytree(
                    pages / chapter.name / language, source / language, dirs_exist_ok=True
                )
            write_museum(source / language, language)
            write_contents(chapters, course, source / language, language)
        run_all(
            "pages",
            {lang: (run_sphinx, source / lang, html / lang, lang, terms) for lang in ONE_LANGUAGE},
        )
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True, exist_ok=True)
        (target / ".nojekyll").touch()  # or GitHub Pages leaves out _static
        shutil.copyfile(START, target / "index.html")  # a half-copied site has both
        for language in ONE_LANGUAGE:  # not what myst-nb leaves beside them
            shutil.copytree(html / language, target / language)


def main() -> None:
    """Read the command line, build, print what each page weighs; exit status 1 if too much."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument("chapter", nargs="*", help="chapters to build, e.g. 02_sinusoidal")
    parser.add_argument("--stops", type=int, default=STOPS, help="of each control; 1: a first try")
    parser.add_argument(
        "--to", type=Path, default=ROOT / "build" / "site", help="folder of the site; replaced"
    )
    parser.add_argument("--pages", type=Path, default=ROOT / "build" / "pages", help="kept here")
    options = parser.parse_args()
    try:
        require_replaceable(options.to)
    except FileExistsError as refused:
        parser.error(str(refused))
    try:
        build(named_chapters(sorted(options.chapter)), options.to, options.pages, options.stops)
    except JobsFailed as failed:
        raise SystemExit(f"{failed}\nwhat is finished is kept: run this again") from failed
    for name, (first, whole) in weights(options.to).items():
        print(f"{first / 1e6:6.2f} MB, with its figures {whole / 1e6:6.2f} MB  {name}")
    heavy = too_heavy(options.to)
    if heavy:
        raise SystemExit("heavier than a page may be:\n" + "\n".join(heavy))
    print(options.to / "index.html")


if __name__ == "__main__":
    main()
