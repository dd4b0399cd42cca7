"""What a class earned and why: nbgrader's gradebook, and the verdicts in the graded notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import SubmittedAssignment
from nbgrader.apps import NbGraderAPI

from autograde.verdict_output import KEY
from bilingual import Text

UNSOLVED = "unsolved"
NO_CELL = "missing cell"
Diagnosis = tuple[str, Text | None]

NOT_JSON = Text(
    en="the file is broken: it is not a notebook",
    zh="文件已损坏：不是notebook",
)
NOT_GRADED = Text(en="nbgrader could not grade it", zh="nbgrader无法评分")


@dataclass(frozen=True)
class Result:
    """The points of one exercise, and what was wrong: a short name and a sentence, if anything was.

    The name is that of a misconception, `UNSOLVED`, those of the failed checks, or of an error.
    """

    exercise: str
    score: float
    points: float
    diagnosis: str | None = None
    sentence: Text | None = None


@dataclass(frozen=True)
class Submission:
    """What one student earned; `problem` says why there are no results."""

    student: str
    seconds_late: float
    score: float
    max_score: float
    results: tuple[Result, ...]
    problem: Text | None = None


def read_results(api: NbGraderAPI, chapter: str) -> list[Submission]:
    """Return the submissions of a chapter by student id, the exercises as the notebook has them."""
    released = _notebook(api, api.coursedir.release_directory, ".", chapter)
    order = list(_cells(released))
    with api.gradebook as gradebook:
        submitted = gradebook.assignment_submissions(chapter)
        return [
            _submission(api, one, order)
            for one in sorted(submitted, key=lambda one: one.student.id)
        ]


def _submission(api: NbGraderAPI, submitted: SubmittedAssignment, order: list[str]) -> Submission:
    student, chapter = submitted.student.id, submitted.assignment.name
    graded = _notebook(api, api.coursedir.autograded_directory, student, chapter)
    results: tuple[Result, ...] = ()
    problem = None
    if graded.is_file():
        cells = _cells(graded)
        grades = sorted(submitted.notebooks[0].grades, key=lambda grade: order.index(grade.name))
        results = tuple(_result(g.name, g.score, g.max_score, cells) for g in grades)
    else:
        problem = _problem(_notebook(api, api.coursedir.submitted_directory, student, chapter))
    late, score, most = submitted.total_seconds_late, submitted.score, submitted.max_score
    return Submission(student, late, score, most, results, problem)


def _notebook(api: NbGraderAPI, step: str, student: str, chapter: str) -> Path:
    return Path(api.coursedir.format_path(step, student, chapter)) / f"{chapter}.ipynb"


def _cells(path: Path) -> dict[str, NotebookNode]:
    cells = nbformat.read(path, as_version=4).cells
    found = ((cell.metadata.get("nbgrader", {}).get("grade_id"), cell) for cell in cells)
    return {grade_id: cell for grade_id, cell in found if grade_id}


def _problem(submitted: Path) -> Text:
    try:
        nbformat.read(submitted, as_version=4)
    except nbformat.reader.NotJSONError:
        return NOT_JSON
    return NOT_GRADED


def _result(name: str, score: float, points: float, cells: dict[str, NotebookNode]) -> Result:
    if name not in cells:
        return Result(name, score, points, NO_CELL)
    check, answer = cells[name], cells.get(f"{name}-answer")
    return Result(name, score, points, *(_verdict(check) or _error(answer) or _error(check) or ()))


def _verdict(check: NotebookNode) -> Diagnosis | None:
    """Return what `verdict_output.show` left in a check cell, None if all was right."""
    displays = [output for output in check.outputs if output.output_type == "display_data"]
    kept = next((shown.metadata[KEY] for shown in displays if KEY in shown.metadata), None)
    if kept is None:
        return None
    name = UNSOLVED if kept["unsolved"] else kept["misconception"] or ", ".join(kept["failed"])
    return (name, Text(**kept["reason"]) if kept["reason"] else None) if name else None


def _error(cell: NotebookNode | None) -> Diagnosis | None:
    """Return the last error that running a cell gave, None if there was none."""
    errors = [output for output in (cell.outputs if cell else []) if output.output_type == "error"]
    if not errors:
        return None
    said = f"{errors[-1].ename}: {errors[-1].evalue}".rstrip(": ")
    return errors[-1].ename, Text(en=said, zh=said)
