"""The table of contents as a learner finds it on opening: where they left, what is next, as links.

It is what `progress()` shows, put into its cell before JupyterLab starts, so that no cell has to
run first.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat.v4 import new_output

from autograde.kit.cell_role import CellRole, cell_role
from autograde.notebook.progress import bundle
from bilingual.files import write_whole
from tools.study.reading import read_or_none
from tools.study.trust import is_trusted, trust


def show_progress(index: Path) -> None:
    """Write the reader's progress into the notebook `index`; one that is unreadable stays as it is.

    Raises OSError if the file cannot be read or written.
    """
    notebook = read_or_none(index.read_bytes())
    if notebook is None:
        return
    trusted, data = is_trusted(notebook), bundle()
    for cell in notebook.cells:
        personal = (cell_role(cell) or CellRole("code")).role == "personal"
        if personal and cell.cell_type == "code":  # a key makes Markdown of it
            cell.outputs = [new_output("display_data", data)]
    write_whole(index, f"{nbformat.writes(notebook)}\n".encode())
    if trusted:
        trust(notebook)
