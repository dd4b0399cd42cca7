"""The chapters of the course, each read once for all tests."""

from functools import cache

from nbformat import NotebookNode

from tools.build.chapter_text import read_text
from tools.build.contents import chapters

_read = cache(read_text)
CHAPTERS = chapters(read=_read)
PATHS = {chapter.name: chapter.path for chapter in CHAPTERS}


def cells_of(name: str) -> tuple[NotebookNode, ...]:
    """Return the cells of a chapter as written. All tests share them, so they are left as is."""
    return tuple(_read(PATHS[name]).cells)
