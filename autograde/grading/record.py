"""What the gradebook knows of a released notebook: its cells, as they were and as they count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:  # seconds of imports that a process which grades does without
    from nbgrader.api import Gradebook


@dataclass(frozen=True)
class RecordedCell:
    """One cell that nbgrader knows: what it was when it was released, and what it is worth."""

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
        """Return the cell's metadata, whatever a submission says."""
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


Record = tuple[RecordedCell, ...]  # in the order of the notebook


def read_record(gradebook: Gradebook, notebook: str, assignment: str) -> Record:
    """Return the record of a notebook; nbgrader's MissingEntry if the gradebook has none."""
    known = gradebook.find_notebook(notebook, assignment)
    points = {cell.name: float(cell.max_score) for cell in [*known.grade_cells, *known.task_cells]}
    graded = {cell.name for cell in known.grade_cells}
    solutions = {cell.name for cell in known.solution_cells}
    tasks = {cell.name for cell in known.task_cells}
    return tuple(
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
        for cell in known.source_cells
    )
