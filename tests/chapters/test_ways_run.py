"""Whoever takes a way runs the code of its sections alone, and meets the numbers of the text.

One kernel runs them all, each without a name of the one before: what costs most is to start it.
Where a way has the first cells of a chapter and no others, it runs what every reader runs.
"""

from pathlib import Path

import nbformat
import pytest

from autograde.kit.cell_role import cell_role
from autograde.kit.way import WAYS, goes_through
from tests.all_chapters import CHAPTERS
from tools.build.kernel import LISTEN, kernel

pytestmark = pytest.mark.slow
SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"  # where each chapter ran whole
PAIRS = [
    (way, chapter)
    for way in WAYS[:-1]
    for chapter in CHAPTERS
    if goes_through(way, chapter.sections[0].way)
]
FRESH = f"get_ipython().reset()\n{LISTEN}"


@pytest.fixture(scope="module")
def running(warm_kernels):
    with kernel() as one:
        yield one


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
    ("way", "chapter"), PAIRS, ids=[f"{way}-{chapter.name}" for way, chapter in PAIRS]
)
def test_a_way_runs_without_what_it_leaves_out(way, chapter, running):
    whole = nbformat.read(SOLUTIONS / chapter.name / f"{chapter.name}.ipynb", as_version=4)
    part = cells_on(whole, way)
    assert 1 < len(part) < len(whole.cells)
    code = [cell for cell in part if cell.cell_type == "code"]
    there = [cell for cell in whole.cells if cell.cell_type == "code"]
    if code == there[: len(code)]:
        return
    running.run(FRESH)
    for cell in code:
        expected = printed(cell)
        running.begin("both", f"{way}-{chapter.name}", "")
        running.outputs(cell)
        if "nbval-ignore-output" not in cell.metadata.get("tags", []):
            assert printed(cell) == expected, cell.source
