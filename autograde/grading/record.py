"""What the gradebook records of a released notebook: its cells, and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from autograde.grading.demonstrations import Names, demonstrations

if TYPE_CHECKING:  # takes seconds to import; a process that grades does not need it
    from nbgrader.api import Gradebook


@dataclass(frozen=True)
class RecordedCell:
    """One cell that nbgrader recorded: its state at release, and what it is worth."""

    name: str
    cell_type: Literal["code", "markdown"]
    source: str
    checksum: str
    grade: bool
    solution: bool
    task: bool
    locked: bool
    points: float | None

    def metadata(self) -> dict[str, Any]:
        """Return the cell's metadata, from the record alone."""
        nbgrader: dict[str, Any] = {
            "schema_version": 3,
            "grade_id": self.name,
            "grade": self.grade,
            "solution": self.solution,
            "task": self.task,
            "locked": self.locked,
            "checksum": self.checksum,
            "cell_type": self.cell_type,
        }
        if self.points is not None:
            nbgrader["points"] = self.points
        return {"nbgrader": nbgrader}


class Record(NamedTuple):
    """The recorded cells in order, and the names of the chapter's other code cells, by source."""

    cells: tuple[RecordedCell, ...]
    demonstrations: Mapping[str, Names]

    @property
    def points(self) -> dict[str, float]:
        """Return what each graded cell is worth."""
        return {cell.name: cell.points for cell in self.cells if cell.points is not None}


def read_record(gradebook: Gradebook, notebook: str, assignment: str, source: Path) -> Record:
    """Return the record of a notebook; raises nbgrader's MissingEntry if it has no record.

    source: the folder of the course's own version of the notebook.
    """
    entry = gradebook.find_notebook(notebook, assignment)
    points = {cell.name: float(cell.max_score) for cell in [*entry.grade_cells, *entry.task_cells]}
    graded = {cell.name for cell in entry.grade_cells}
    solutions = {cell.name for cell in entry.solution_cells}
    tasks = {cell.name for cell in entry.task_cells}
    cells = tuple(
        RecordedCell(
            name=cell.name,
            cell_type=cell.cell_type,
            source=cell.source,
            checksum=cell.checksum,
            grade=cell.name in graded,
            solution=cell.name in solutions,
            task=cell.name in tasks,
            locked=bool(cell.locked),
            points=points.get(cell.name),
        )
        for cell in entry.source_cells
    )
    return Record(cells, demonstrations(source / f"{notebook}.ipynb"))
