"""Runs a chapter once, and keeps what each of its notebooks should show, the same every time.

A chapter becomes several notebooks: solved and unsolved, in one language or the other, on a web
page. Their code is nearly the same, so one kernel runs them all: each cell runs for the first
notebook, then again for another only where that one would show something else, because its source
differs, or because the cell put a `Text` into words and the language differs. Such a cell may run
twice, as it does for a reader who chooses another language: it changes nothing that it reads.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograde.kit.cell_role import CellRole, cell_role
from bilingual import Language

ROOT = Path(__file__).resolve().parents[2]
WIDGET = "application/vnd.jupyter.widget-view+json"  # names a model that is gone, by a random id
SECONDS = 1200  # for one cell: far more than any needs, so that a busy machine does not fail
LISTEN = f"""\
import sys
sys.path.insert(0, {str(ROOT)!r})
from tools.build.listener import Listener
_listener = Listener()"""


@dataclass(frozen=True)
class Run:
    """A notebook that `execute` fills with outputs: in which language, what is run before a cell.

    data: the name of the folder that its records are kept in, apart from those of other runs.
    """

    notebook: NotebookNode
    language: Language = "both"
    before: str = ""
    data: str = "data"
    cells: dict[str, NotebookNode] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Find the code by the ids of its cells."""
        self.cells.update((c.id, c) for c in self.notebook.cells if c.cell_type == "code")


def execute(first: Run, *others: Run, prepare: str = "") -> None:
    """Fill the notebooks with outputs; `nbclient.exceptions.CellExecutionError` if a cell fails.

    No timing, no widget state (it is blank or invalid for many readers); the progress of whoever
    builds stays untouched. prepare: code that the kernel runs before everything. ValueError when
    another notebook has code that the first has not.
    """
    for other in others:
        if extra := other.cells.keys() - first.cells.keys():
            raise ValueError(f"the first notebook lacks the cells {sorted(extra)}")
    with _kernel() as kernel:
        kernel.run(f"{LISTEN}\n{prepare}")
        for unit in _units(first):
            _execute_unit(kernel, unit, first, others)
    for run in (first, *others):
        _finish(run.notebook)


def _execute_unit(kernel: _Kernel, unit: list[str], first: Run, others: tuple[Run, ...]) -> None:
    """Run the cells of these ids for each notebook that shows something of its own there."""
    kernel.execute(first, unit)
    spoke = kernel.heard()
    overwritten = False
    for other in others:
        there = [name for name in unit if name in other.cells]
        rewritten = any(first.cells[name].source != other.cells[name].source for name in there)
        reader = (first.language, first.before) != (other.language, other.before)
        personal = any(_role(other.cells[name]).role == "personal" for name in there)
        if rewritten or personal or (spoke and reader):
            kernel.execute(other, there)
            overwritten |= rewritten
        else:
            for name in there:
                other.cells[name].outputs = deepcopy(first.cells[name].outputs)
    if overwritten:  # what comes next builds on the first notebook
        kernel.execute(first, unit, keep=False)


def _units(run: Run) -> list[list[str]]:
    """Return the ids of cells that run together: an answer and its check, else one."""
    units: list[list[str]] = []
    for name, cell in run.cells.items():
        if _role(cell).role == "check":
            units[-1].append(name)
        else:
            units.append([name])
    return units


def _role(cell: NotebookNode) -> CellRole:
    return cell_role(cell) or CellRole("code")


class _Kernel:
    """A kernel in which the cells of several notebooks take turns."""

    def __init__(self, client: NotebookClient, folder: str) -> None:
        self._client, self._folder = client, folder

    def run(self, source: str) -> list[NotebookNode]:
        """Run code that is in no notebook; return its outputs."""
        return self._outputs(new_code_cell(source), store_history=False)

    def execute(self, run: Run, names: list[str], *, keep: bool = True) -> None:
        """Run cells as a reader of this notebook would; keep: put the outputs into them."""
        data = os.path.join(self._folder, run.data)
        for name in names:
            self.run(f"_listener.begin({run.language!r}, {data!r})\n{run.before}")
            outputs = self._outputs(deepcopy(run.cells[name]))
            if keep:
                run.cells[name].outputs = outputs

    def heard(self) -> bool:
        """Return whether the cell that ran last put a `Text` into words."""
        return self.run("print(_listener.heard)")[0].text.strip() == "True"

    def _outputs(self, cell: NotebookNode, *, store_history: bool = True) -> list[NotebookNode]:
        self._client.reset_execution_trackers()  # no output is another cell's to update
        self._client.nb.cells = [cell]
        self._client.execute_cell(cell, 0, store_history=store_history)
        return cell.outputs


@contextmanager
def _kernel() -> Iterator[_Kernel]:
    with tempfile.TemporaryDirectory() as folder, _environment(folder):
        client = NotebookClient(
            new_notebook(),
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,  # else where a stream is cut depends on the load
            extra_arguments=["--IPKernelApp.log_level=ERROR"],  # it warns of loopback
            resources={"metadata": {"path": folder}},
        )
        with client.setup_kernel():
            yield _Kernel(client, folder)


def _finish(notebook: NotebookNode) -> None:
    notebook.metadata["language_info"] = {"name": "python"}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate(code, start=1):
        cell.execution_count = count  # as if it had run alone
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET, None)
            if "execution_count" in output:
                output.execution_count = count


@contextmanager
def _environment(folder: str) -> Iterator[None]:
    fixed = {"POSENC_LANGUAGE": "both", "POSENC_DATA_DIR": folder, "POSENC_DEVICE": "cpu"}
    before = {name: os.environ.get(name) for name in fixed}
    os.environ.update(fixed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
