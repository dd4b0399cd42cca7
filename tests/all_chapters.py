"""The chapters of the course, each read once for all tests: that takes a second each time."""

from functools import cache

from nbformat import NotebookNode

from tools.build.chapter_text import read_chapter
from tools.build.contents import chapters

CHAPTERS = chapters()
PATHS = {chapter.name: chapter.path for chapter in CHAPTERS}


@cache
def cells_of(name: str) -> tuple[NotebookNode, ...]:
    """Return the cells of a chapter as written. All tests share them, so they are left as is."""
    return tuple(read_chapter(PATHS[name]))
