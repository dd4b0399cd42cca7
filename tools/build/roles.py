"""Gives a cell as written its role, in `metadata.posenc`, and the metadata that nbgrader reads."""

from __future__ import annotations

import ast
from typing import Any

from nbformat import NotebookNode

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import CellRole
from bilingual.hanzi import join_lines
from tools.build.chapter_text import calls

PERSONAL = {"environment", "progress"}  # functions whose output depends on the reader


def finished(cell: NotebookNode) -> NotebookNode:
    """Put the cell's role into `metadata.posenc`, nbgrader's fields beside it; return the cell."""
    fields, cell.metadata = cell.metadata, NotebookNode()
    cell.metadata.update({n: fields[n] for n in ("tags", "reason", "slide") if n in fields})
    if "thinking" in fields:
        role = CellRole("thinking", fields["thinking"])
        nbgrader = _graded(role.exercise, solution=True, points=fields["points"])
    elif cell.cell_type == "markdown":
        section, way = fields.get("section"), fields.get("way")
        role, nbgrader = CellRole("prose", lang=fields["lang"], way=way, section=section), None
        cell.source = join_lines(cell.source) if role.lang == "zh" else cell.source
    elif "exercise" in fields:
        mends, way = fields.get("mends"), fields.get("way")
        role = CellRole("answer", fields["exercise"], mends=mends, way=way)
        nbgrader = _graded(f"{role.exercise}-answer", solution=True)
    elif "check" in fields:
        role = CellRole("check", fields["check"])
        nbgrader = _graded(role.exercise, points=exercise(role.exercise).points)
    else:
        role, nbgrader = _role_of_code(cell.source), None
    cell.metadata.update(role.metadata())
    if nbgrader:
        cell.metadata["nbgrader"] = nbgrader
    return cell


def _role_of_code(source: str) -> CellRole:
    """Return the role of a cell of code by the calls that stand in it as statements."""
    called = calls(source)
    if "quiz" in called and len(called["quiz"].args) == 1:
        return CellRole("quiz", ast.literal_eval(called["quiz"].args[0]))
    if "language_switch" in called:
        return CellRole("switch")
    return CellRole("personal" if called.keys() & PERSONAL else "code")


def _graded(
    grade_id: str, *, solution: bool = False, points: float | None = None
) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "grade_id": grade_id,
        "grade": points is not None,
        "solution": solution,
        "locked": not solution,
        "task": False,
        "schema_version": 3,
    }
    return metadata if points is None else {**metadata, "points": points}
