"""Writes the decks of a chapter from its pages on the site, and makes these if they are missing."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import nbformat

from bilingual import Language
from tools.build.contents import Chapter
from tools.site.chapter import write_chapter
from tools.slides.deck import slides
from tools.slides.export import write_deck


def write_decks(
    chapter: Chapter, languages: Sequence[Language], target: Path, pages: Path, stops: int
) -> None:
    """Write target/LANGUAGE/NAME.html and its figures; pages: the folder of the chapter's pages."""
    write_chapter(chapter, pages, stops)
    for language in languages:
        source, folder = pages / language, target / language
        shutil.copytree(source / "files", folder, dirs_exist_ok=True)
        page = nbformat.read(source / f"{chapter.name}.ipynb", as_version=4)
        write_deck(slides(page, chapter, language), folder / f"{chapter.name}.html", language)
