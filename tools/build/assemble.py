"""Turns a chapter's text into nbgrader's source notebook, each cell saying what it is.

In place of what `chapter_text.py` reads, a cell carries `metadata.posenc` (see
`autograde/kit/cell_role.py`). Nothing else looks into cells to find out what they are.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import CellRole, Role, cell_role
from autograde.kit.task import task
from bilingual import Text
from tools.build.chapter_text import read_chapter
from tools.build.contents import Chapter, navigation
from tools.build.hanzi import join_lines

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
GRADED = {"answer": "exercise", "check": "check", "thinking": "thinking"}  # role: id's beginning
PERSONAL = {"environment", "progress"}  # functions that say something of the reader


def assemble(chapter: Chapter) -> NotebookNode:
    """Return the source notebook of a chapter, with nbgrader's metadata, not yet executed."""
    cells: list[NotebookNode] = []
    for cell in read_chapter(chapter.path):
        cell.metadata.pop("slide", None)
        if name := cell.metadata.get("exercise"):
            cells += _prose("task", task(exercise(name), hint=True), name)
        cells.append(_finished(cell))
    cells += _prose("navigation", navigation(chapter))
    return _notebook([_in_div(cell) for cell in cells])


def assemble_page(chapter: Chapter) -> NotebookNode:
    """Return the same for web pages and slides: bare prose, nothing for a kernel or a teacher."""
    cells: list[NotebookNode] = []
    for cell in read_chapter(chapter.path):
        if name := cell.metadata.get("exercise"):
            cells += _prose("task", task(exercise(name), hint=False), name)
        if not {"check", "thinking"} & cell.metadata.keys():
            cells.append(_finished(cell))
    return _notebook(cells)


def assemble_index(path: Path, table: Text) -> NotebookNode:
    """Return the table-of-contents notebook; `<!-- chapters -->` in its text becomes `table`."""
    cells = read_chapter(path)
    for cell in cells:
        if cell.cell_type == "markdown":
            rows = table.in_language(cell.metadata["lang"])
            cell.source = cell.source.replace("<!-- chapters -->", rows)
    return _notebook([_in_div(_finished(cell)) for cell in cells])


def _notebook(cells: list[NotebookNode]) -> NotebookNode:
    seen: Counter[str] = Counter()
    for cell in cells:
        cell.id = _identity(cell, seen)
    notebook = new_notebook(cells=cells, metadata=METADATA, nbformat_minor=5)
    nbformat.validate(notebook)
    return notebook


def _finished(cell: NotebookNode) -> NotebookNode:
    """Put what the cell is into `metadata.posenc`, what nbgrader reads beside it."""
    fields, cell.metadata = cell.metadata, NotebookNode()
    cell.metadata.update({n: fields[n] for n in ("tags", "reason", "slide") if n in fields})
    if "thinking" in fields:
        role = CellRole("thinking", fields["thinking"])
        nbgrader = _graded(role.exercise, solution=True, points=fields["points"])
    elif cell.cell_type == "markdown":
        role, nbgrader = CellRole("prose", lang=fields["lang"]), None
        cell.source = join_lines(cell.source) if role.lang == "zh" else cell.source
    elif "exercise" in fields:
        role = CellRole("answer", fields["exercise"], mends=fields.get("mends"))
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
    statements = [node.value for node in ast.parse(source).body if isinstance(node, ast.Expr)]
    calls = {
        node.func.id: node
        for node in statements
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    if "quiz" in calls and len(calls["quiz"].args) == 1:
        return CellRole("quiz", ast.literal_eval(calls["quiz"].args[0]))
    if "language_switch" in calls:
        return CellRole("switch")
    return CellRole("personal" if calls.keys() & PERSONAL else "code")


def _in_div(cell: NotebookNode) -> NotebookNode:
    """Wrap prose in the `<div lang>` by which the language buttons find it in the page."""
    lang = cell_role(cell).lang
    if lang:
        cell.source = f'<div lang="{lang}">\n\n{cell.source}\n\n</div>'
    return cell


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


def _prose(role: Role, text: Text, exercise_id: str | None = None) -> list[NotebookNode]:
    return [
        new_markdown_cell(source, metadata=CellRole(role, exercise_id, lang).metadata())
        for lang, source in (("en", text.en), ("zh", join_lines(text.zh)))
    ]


def _identity(cell: NotebookNode, seen: Counter[str]) -> str:
    """Return an id that stays when other cells change: learners' copies are matched by it."""
    role = cell_role(cell)
    if role.role in GRADED:
        return f"{GRADED[role.role]}-{role.exercise}"
    digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
