"""A chapter opened and saved as a notebook, as jupytext does in JupyterLab, loses nothing."""

import jupytext
import nbformat
import pytest

from tests.all_chapters import CHAPTERS, cells_of
from tools.build.chapter_text import read_text


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_saving_from_jupyterlab_keeps_cells_and_header(chapter, tmp_path):
    opened = jupytext.read(chapter.path)
    # what JupyterLab adds to a notebook before it saves
    opened.metadata["language_info"] = {"name": "python", "version": "3.11.0"}
    for number, cell in enumerate(opened.cells):
        cell.id = f"lab-{number}"
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = number, [nbformat.v4.new_output("stream")]
    saved = tmp_path / chapter.path.name
    jupytext.write(opened, saved, fmt="py:percent")
    again = read_text(saved)
    assert again.metadata["posenc"] == opened.metadata["posenc"]
    assert [(c.cell_type, c.source, c.metadata) for c in again.cells] == [
        (c.cell_type, c.source, c.metadata) for c in cells_of(chapter.name)
    ]
