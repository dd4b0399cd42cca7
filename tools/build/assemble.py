"""Turns a chapter's text into nbgrader's source notebook. The only file that knows the cell schema.

A chapter is a jupytext py:percent file. What its cells may carry:

    [markdown] lang="en" / lang="zh"   prose, in pairs, English first
    exercise="id"                      the answer, with its solution between ### BEGIN/END SOLUTION
    check="id"                         the graded cell that follows it
    [markdown] thinking="id" points=3  the model answer and rubric of a question that a teacher
                                       grades, in <div lang="en"> and <div lang="zh">
    tags=["nbval-ignore-output"] reason="…"   output that cannot be the same twice

In a notebook each cell carries `metadata.posenc` in place of all but the tags: see
`autograde/kit/cell_role.py`. Nothing else reads a chapter's cells to find out what they are.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import CellRole, Role, cell_role
from autograde.kit.task import task
from bilingual import Text
from tools.build.contents import Chapter, navigation
from tools.build.hanzi import join_lines

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
ALLOWED = {"lang", "exercise", "check", "thinking", "points", "tags", "reason"}
GRADED = {"answer": "exercise", "check": "check", "thinking": "thinking"}  # role: id's beginning
PERSONAL = {"environment", "progress"}  # functions that say something of the reader
RUBRIC = re.compile(r'<div lang="en">\n(.+)\n</div>\n<div lang="zh">\n(.+)\n</div>', re.DOTALL)


class ChapterError(ValueError):
    """A chapter breaks the rules above; the message names the file and the cell."""


def read_chapter(path: Path) -> list[NotebookNode]:
    """Return the cells of a chapter as written, checked against the schema."""
    cells = jupytext.read(path, fmt="py:percent").cells
    for number, cell in enumerate(cells, start=1):
        cell.metadata.pop("lines_to_next_cell", None)
        problem = _problem(cell, cells[number] if number < len(cells) else None)
        if problem:
            start = cell.source.split("\n")[0]
            raise ChapterError(f"{path.name}, cell {number} ({start!r}): {problem}")
    return cells


def _problem(cell: NotebookNode, following: NotebookNode | None) -> str | None:
    extra = set(cell.metadata) - ALLOWED
    after = following.metadata if following else {}
    if extra:
        return f"unknown cell metadata {sorted(extra)}"
    if "thinking" in cell.metadata:
        return None if _is_rubric(cell) else "a rubric has points= and one <div> for each language"
    if cell.cell_type == "markdown" and cell.metadata.get("lang") not in ("en", "zh"):
        return 'prose needs lang="en" or lang="zh"'
    if cell.metadata.get("lang") == "en" and after.get("lang") != "zh":
        return "an English cell is followed by its Chinese twin"
    if "exercise" in cell.metadata and after.get("check") != cell.metadata["exercise"]:
        return "an exercise cell is followed by its check cell"
    if "nbval-ignore-output" in cell.metadata.get("tags", []) and "reason" not in cell.metadata:
        return "an exempt cell says why in reason="
    return None


def _is_rubric(cell: NotebookNode) -> bool:
    return "points" in cell.metadata and RUBRIC.fullmatch(cell.source) is not None


def rubric(cell: NotebookNode) -> Text:
    """Return the model answer of a thinking question, in both languages."""
    en, zh = RUBRIC.fullmatch(cell.source).groups()
    return Text(en=en, zh=zh)


def assemble(chapter: Chapter) -> NotebookNode:
    """Return the source notebook of a chapter, with nbgrader's metadata, not yet executed."""
    cells: list[NotebookNode] = []
    for cell in read_chapter(chapter.path):
        if "exercise" in cell.metadata:
            cells += _task(cell.metadata["exercise"], hint=True)
        cells.append(_finished(cell))
    cells += _prose("navigation", navigation(chapter))
    return _notebook([_in_div(cell) for cell in cells])


def assemble_page(chapter: Chapter) -> NotebookNode:
    """Return the same for a web page: bare prose, nothing that only a kernel or a teacher uses."""
    cells: list[NotebookNode] = []
    for cell in read_chapter(chapter.path):
        if "exercise" in cell.metadata:
            cells += _task(cell.metadata["exercise"], hint=False)
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
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook = new_notebook(cells=cells, metadata=metadata, nbformat_minor=5)
    nbformat.validate(notebook)
    return notebook


def _finished(cell: NotebookNode) -> NotebookNode:
    """Put what the cell is into `metadata.posenc`, what nbgrader reads beside it."""
    written, cell.metadata = cell.metadata, NotebookNode()
    cell.metadata.update({name: written[name] for name in ("tags", "reason") if name in written})
    if "thinking" in written:
        role = CellRole("thinking", written["thinking"])
        nbgrader = _graded(role.exercise, solution=True, points=written["points"])
    elif cell.cell_type == "markdown":
        role, nbgrader = CellRole("prose", lang=written["lang"]), None
        cell.source = join_lines(cell.source) if role.lang == "zh" else cell.source
    elif "exercise" in written:
        role = CellRole("answer", written["exercise"])
        nbgrader = _graded(f"{role.exercise}-answer", solution=True)
    elif "check" in written:
        role = CellRole("check", written["check"])
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
    if "quiz" in calls:
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


def _task(exercise_id: str, *, hint: bool) -> list[NotebookNode]:
    return _prose("task", task(exercise(exercise_id), hint=hint), exercise_id)


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
