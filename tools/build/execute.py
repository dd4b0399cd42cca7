"""Runs a chapter once and fills in the outputs of all its notebooks, the same at every build.

A chapter becomes several notebooks: solved and unsolved, in one language or the other, on a web
page. Their code is nearly the same, so one kernel runs them all: each cell runs for the first
notebook, and again for another one only if the output may differ: the source differs, or the cell
rendered a `Text` and the language differs. Such a cell must not change what it reads: it may run
twice, as it does for a reader who changes the language.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

from nbformat import NotebookNode

from autograde.kit.cell_role import CellRole, cell_role
from bilingual import Language
from tools.build.kernel import Kernel, kernel

WIDGET = "application/vnd.jupyter.widget-view+json"  # the random id of a widget that is gone


@dataclass(frozen=True)
class Run:
    """A notebook that `execute` fills with outputs, its language, and code to run before each cell.

    data: the name of the folder for its records, separate from those of other runs.
    """

    notebook: NotebookNode
    language: Language = "both"
    before: str = ""
    data: str = "data"
    cells: dict[str, NotebookNode] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Index the code cells by id."""
        self.cells.update((c.id, c) for c in self.notebook.cells if c.cell_type == "code")


def execute(first: Run, *others: Run, prepare: str = "") -> None:
    """Fill the notebooks with outputs; `nbclient.exceptions.CellExecutionError` if a cell fails.

    Timing and widget state are left out (the latter is blank or invalid for many readers); your own
    saved progress is not touched. prepare: code that the kernel runs first. ValueError if another
    notebook has a code cell that the first lacks.
    """
    for other in others:
        if extra := other.cells.keys() - first.cells.keys():
            raise ValueError(f"the first notebook lacks the cells {sorted(extra)}")
    with kernel(prepare) as running:
        for unit in _units(first):
            _execute_unit(running, unit, first, others)
    for run in (first, *others):
        _finish(run.notebook)


def _execute_unit(kernel: Kernel, unit: list[str], first: Run, others: tuple[Run, ...]) -> None:
    """Run the cells of these ids, again for each notebook whose output may differ."""
    _execute(kernel, first, unit)
    spoke = kernel.heard()
    overwritten = False
    for other in others:
        there = [name for name in unit if name in other.cells]
        rewritten = any(first.cells[name].source != other.cells[name].source for name in there)
        reader = (first.language, first.before) != (other.language, other.before)
        personal = any(_role(other.cells[name]).role == "personal" for name in there)
        if rewritten or personal or (spoke and reader):
            _execute(kernel, other, there)
            overwritten |= rewritten
        else:
            for name in there:
                other.cells[name].outputs = deepcopy(first.cells[name].outputs)
    if overwritten:  # later cells build on the first notebook
        _execute(kernel, first, unit, keep=False)


def _execute(kernel: Kernel, run: Run, names: list[str], *, keep: bool = True) -> None:
    """Run cells as a reader of this notebook would; keep: store their outputs."""
    for name in names:
        kernel.begin(run.language, run.data, run.before)
        outputs = kernel.outputs(deepcopy(run.cells[name]))
        if keep:
            run.cells[name].outputs = outputs


def _units(run: Run) -> list[list[str]]:
    """Return the ids of cells that run together: an answer and its check; any other cell alone."""
    units: list[list[str]] = []
    for name, cell in run.cells.items():
        if _role(cell).role == "check":
            units[-1].append(name)
        else:
            units.append([name])
    return units


def _role(cell: NotebookNode) -> CellRole:
    return cell_role(cell) or CellRole("code")


def _finish(notebook: NotebookNode) -> None:
    notebook.metadata["language_info"] = {"name": "python"}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate(code, start=1):
        cell.execution_count = count  # as if it had run alone
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET, None)
            if "execution_count" in output:
                output.execution_count = count
