"""Runs a learner's notebook in one language, its figures sampled, and writes its page's source."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

from bilingual import Language
from tools.contents import ROOT, Chapter
from tools.execute import execute
from tools.site.cells import path_of, to_run, to_show

INSTALL = """import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tools.site.recorder import Recorder
Recorder(Path({folder!r}), {address!r}, {frames}).install()"""


def write_chapter(chapter: Chapter, source: Path, language: Language, frames: int) -> None:
    """Write `source`/NAME.ipynb and its figures, `source`/files/figures/NAME/."""
    notebook = nbformat.read(ROOT / path_of(chapter), as_version=4)
    address = f"figures/{chapter.name}"
    install = INSTALL.format(
        root=str(ROOT),
        folder=str((source / "files" / address).resolve()),
        address=address,
        frames=frames,
    )
    notebook.cells = [new_code_cell(install), *to_run(notebook, language)]
    execute(notebook)
    notebook.cells = list(to_show(notebook.cells[1:], chapter, language))
    nbformat.write(notebook, source / f"{chapter.name}.ipynb")
