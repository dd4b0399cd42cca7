"""Whoever takes a way runs the code of its sections alone, and meets the numbers of the text."""

from pathlib import Path

import nbformat
import pytest

from autograde.kit.cell_role import cell_role
from autograde.kit.way import WAYS, goes_through
from tests.all_chapters import CHAPTERS
from tools.build.assemble import assemble
from tools.build.execute import Run, execute

pytestmark = pytest.mark.slow
SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"  # where each chapter ran whole
CHAPTERS = [
    (way, chapter)
    for way in WAYS[:-1]
    for chapter in CHAPTERS
    if goes_through(way, chapter.sections[0].way)
]


def cells_on(notebook, way):
    """Return the cells of the sections and exercises that a way has."""
    here, left_out, cells = "everything", set(), []
    for cell in notebook.cells:
        role = cell_role(cell)
        here = role.way if role.section is not None else here
        if role.role == "answer" and not goes_through(way, role.way or here):
            left_out.add(role.exercise)
        if goes_through(way, here) and role.exercise not in left_out:
            cells.append(cell)
    return cells


def printed(cell):
    """Return what a cell shows, without its pictures."""
    parts = [o.get("text") or o.get("data", {}).get("text/plain") for o in cell.outputs]
    return parts, [o.output_type for o in cell.outputs]


@pytest.mark.parametrize(
    ("way", "chapter"), CHAPTERS, ids=[f"{way}-{chapter.name}" for way, chapter in CHAPTERS]
)
def test_a_way_runs_without_what_it_leaves_out(way, chapter):
    whole = nbformat.read(SOLUTIONS / chapter.name / f"{chapter.name}.ipynb", as_version=4)
    part = assemble(chapter)
    part.cells = cells_on(part, way)
    assert 1 < len(part.cells) < len(whole.cells)
    execute(Run(part))
    there = {cell.id: cell for cell in whole.cells}
    for cell in part.cells:
        exempt = "nbval-ignore-output" in cell.metadata.get("tags", [])
        if cell.cell_type == "code" and not exempt:
            assert printed(cell) == printed(there[cell.id]), cell.source
