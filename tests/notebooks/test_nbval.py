"""Every committed solution says what it said when it was built, and its figures move.

A learner's notebook is a solution with its answers cut out. What it says is held by four tests
together: here, its committed outputs are the solution's, the checks apart; no cell takes a name
from an answer (tests/autograde/grading/test_demonstrations.py); the committed files are fresh and
no check gives points (tests/tools/test_build.py); one runs in JupyterLab and says what is committed
(tests/browser/test_chapters.py). The index and one chapter go through nbval as well.
"""

import gc
import warnings
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from tests.one_test import one_test

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.ipynb"), reverse=True)  # the longest first
RELEASED = [ROOT / "notebooks" / name for name in ("index.ipynb", "01_permutation")]
IGNORED = "nbval-ignore-output"
QUICK = "05_rope"  # of `make check`
FIGURES = {"00_start": 1, "02_sinusoidal": 3}  # with sliders, at least; else two
FIRST = """\
import sys
sys.path.insert(0, {root!r})
from tests.notebooks.figures import move, remembered
del sys.path[0]
_figures = remembered()"""


@pytest.mark.usefixtures("warm_kernels")
@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=() if p.stem == QUICK else pytest.mark.slow) for p in SOLUTIONS],
    ids=[path.stem for path in SOLUTIONS],
)
def test_outputs_are_as_committed_and_figures_move(path, tmp_path, validate):
    notebook = nbformat.read(path, as_version=4)
    last = f"move(_figures, {FIGURES.get(path.stem, 2)})"
    around = [new_code_cell(source) for source in (FIRST.format(root=str(ROOT)), last)]
    notebook.cells = [around[0], *notebook.cells, around[1]]
    nbformat.write(notebook, tmp_path / path.name)
    validate(tmp_path / path.name)


@pytest.mark.slow
@pytest.mark.usefixtures("warm_kernels")
@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_outputs_of_learners_are_as_committed(path, validate):
    validate(path)


@pytest.fixture
def validate(tmp_path, monkeypatch, capsys):
    """Validate a notebook with nbval alone, in this process: a new one takes a second to start."""
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("POSENC_DEVICE", "cpu")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(path):
        options = "-c", str(Path(__file__).with_name("nbval.ini")), "--rootdir", str(ROOT)
        with warnings.catch_warnings(action="ignore"):  # nbval leaves files open
            status = pytest.main([*options, str(path)])
            gc.collect()
        printed = capsys.readouterr()
        assert status == pytest.ExitCode.OK, printed.out[-20_000:] + printed.err[-5_000:]
        assert " passed" in printed.out

    return run


@one_test([(path,) for path in SOLUTIONS], lambda path: path.stem)
def test_a_learners_notebook_says_what_the_solution_says_but_for_its_checks(path):
    solution = {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}
    released = nbformat.read(ROOT / "notebooks" / path.parent.name / path.name, as_version=4)
    code = [cell for cell in released.cells if cell.cell_type == "code"]
    plain = [cell for cell in code if "nbgrader" not in cell.metadata]
    assert [cell.source for cell in plain] == [solution[cell.id].source for cell in plain]
    other = [cell.id for cell in plain if cell.outputs != solution[cell.id].outputs]
    assert [name for name in other if IGNORED not in solution[name].metadata.get("tags", [])] == []
    assert [cell.id for cell in code if cell not in plain and not _is_check_or_silent(cell)] == []


def _is_check_or_silent(cell):
    return cell.metadata.nbgrader.locked or cell.outputs == []
