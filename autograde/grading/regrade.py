"""What a regrade goes by: the seed that stands with a grade, and the points before and after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nbgrader.apps import NbGraderAPI

from autograde.kit.verdict_record import verdict_of_cell


def stored_seed(graded: Path) -> int | None:
    """Return the seed of the inputs of a graded notebook; None if there is no such notebook."""
    try:
        cells = json.loads(graded.read_text(encoding="utf-8"))["cells"]
    except (FileNotFoundError, json.JSONDecodeError):  # or cut off while it was written
        return None
    seeds = (seed for cell in cells if (seed := _seed(cell)) is not None)
    return next(seeds, None)


def _seed(cell: dict[str, Any]) -> int | None:
    # of a check cell alone: what other cells show is the student's
    nbgrader = cell["metadata"].get("nbgrader", {})
    if not nbgrader.get("grade") or nbgrader.get("solution"):
        return None
    record = verdict_of_cell(cell)
    return record.seed if record else None


def points(api: NbGraderAPI, chapter: str) -> dict[str, float]:
    """Return the points of each student that the gradebook has."""
    with api.gradebook as gradebook:
        return {one.student.id: one.score for one in gradebook.assignment_submissions(chapter)}
