"""What a regrade needs: the seed stored with a grade, and the points before and after."""

from __future__ import annotations

from pathlib import Path

from nbgrader.apps import NbGraderAPI

from autograde.kit.verdict_record import Cell, verdict_of_cell
from autograde.teacher.course_folder import cells_by_name


def stored_seed(graded: Path) -> int | None:
    """Return the seed stored in a graded notebook; None if the file or the seed is missing."""
    cells = (cells_by_name(graded) or {}).values()
    return next((seed for cell in cells if (seed := _seed(cell)) is not None), None)


def _seed(cell: Cell) -> int | None:
    # from check cells alone: students control the outputs of other cells
    nbgrader = cell["metadata"].get("nbgrader", {})
    if not nbgrader.get("grade") or nbgrader.get("solution"):
        return None
    record = verdict_of_cell(cell)
    return record.seed if record else None


def points(api: NbGraderAPI, chapter: str) -> dict[str, float]:
    """Return each student's points in the gradebook."""
    with api.gradebook as gradebook:
        return {one.student.id: one.score for one in gradebook.assignment_submissions(chapter)}
