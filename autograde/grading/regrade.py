"""What a regrade needs: the seed stored with a grade, and the points before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Points:
    """A student's points: those earned, of how many, and how many the late penalty takes."""

    score: float
    most: float
    penalty: float


def points(
    api: NbGraderAPI, chapter: str, worth: Mapping[str, Mapping[str, float] | None]
) -> dict[str, Points]:
    """Return each student's points in the gradebook.

    worth: what each graded cell was worth when a student was graded, as the journal has it; the
    gradebook already has the values of the last release.
    """
    with api.gradebook as gradebook:
        return {
            submission.student.id: Points(
                submission.score,
                sum((worth.get(submission.student.id) or {}).values()) or submission.max_score,
                sum(one.late_submission_penalty or 0.0 for one in submission.notebooks),
            )
            for submission in gradebook.assignment_submissions(chapter)
        }
