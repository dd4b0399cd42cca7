"""Where a reader left off: the cell that was run last, kept after each run.

The kernel gets the id of the cell from JupyterLab, and the path of the notebook from the server. If
one is missing (Colab, a script), nothing is kept.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from IPython.core.interactiveshell import ExecutionResult

from autograde.kit.cell_role import KEY
from autograde.kit.chapter import CHAPTERS
from autograde.notebook.store import keep, load

SESSION_NAME = "JPY_SESSION_NAME"  # set by Jupyter's server: the path of the kernel's notebook


def record_place(result: ExecutionResult) -> None:
    """Keep the cell that has run, if it is in a chapter of the course."""
    notebook = os.environ.get(SESSION_NAME, "")
    cell = getattr(result.info, "cell_id", None)
    if cell and Path(notebook).stem in CHAPTERS:
        here = {"notebook": notebook, "cell": cell}
        if load("ways", "place") != here:
            keep("ways", "place", here)  # a place that is lost is not worth a message


def place() -> tuple[str, int] | None:
    """Return the chapter and the number of the section where the reader left off, else None."""
    here = load("ways", "place")
    notebook, cell = here.get("notebook"), here.get("cell")
    chapter = Path(notebook).stem if isinstance(notebook, str) else ""
    if chapter not in CHAPTERS:
        return None
    try:
        cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
        number = _section(cells, cell)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # the notebook is gone, or no longer a notebook
    is_section = number is not None and number < len(CHAPTERS[chapter].sections)
    return (chapter, number) if is_section else None


def _section(cells: list[dict], cell_id: str) -> int | None:
    """Return the number of the section that holds the cell with this id."""
    number = None
    for cell in cells:
        number = cell["metadata"].get(KEY, {}).get("section", number)
        if cell.get("id") == cell_id:
            return number
    return None
