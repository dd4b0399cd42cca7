"""Turns a chapter's text into nbgrader's source notebook. The only file that knows the cell schema.

A chapter is a jupytext py:percent file. What its cells may carry:

    [markdown] lang="en" / lang="zh"   prose, in pairs, English first
    exercise="id"                      the answer, with its solution between ### BEGIN/END SOLUTION
    check="id"                         the graded cell that follows it
    [markdown] thinking="id" points=3  the model answer and rubric of a question that a teacher
                                       grades, in <div lang="en"> and <div lang="zh">
    tags=["nbval-ignore-output"] reason="…"   output that cannot be the same twice
"""

from __future__ import annotations

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
from bilingual import Text
from tools.contents import Chapter, navigation
from tools.hanzi import join_lines

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
ALLOWED = {"lang", "exercise", "check", "thinking", "points", "tags", "reason"}
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
            cells += _task(cell.metadata["exercise"])
        cells.append(_finished(cell))
    cells += _prose(navigation(chapter))
    return _notebook(cells)


def assemble_index(path: Path, table: Text) -> NotebookNode:
    """Return the table-of-contents notebook; `<!-- chapters -->` in its text becomes `table`."""
    cells = read_chapter(path)
    for cell in cells:
        if cell.cell_type == "markdown":
            rows = table.in_language(cell.metadata["lang"])
            cell.source = cell.source.replace("<!-- chapters -->", rows)
    return _notebook([_finished(cell) for cell in cells])


def _notebook(cells: list[NotebookNode]) -> NotebookNode:
    seen: Counter[str] = Counter()
    for cell in cells:
        cell.id = _identity(cell, seen)
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook = new_notebook(cells=cells, metadata=metadata, nbformat_minor=5)
    nbformat.validate(notebook)
    return notebook


def _finished(cell: NotebookNode) -> NotebookNode:
    if "thinking" in cell.metadata:
        name, points = cell.metadata["thinking"], cell.metadata["points"]
        cell.metadata["nbgrader"] = _graded(name, solution=True, points=points)
    elif cell.cell_type == "markdown":
        lang = cell.metadata["lang"]
        prose = join_lines(cell.source) if lang == "zh" else cell.source
        cell.source = f'<div lang="{lang}">\n\n{prose}\n\n</div>'
    elif "exercise" in cell.metadata:
        name = cell.metadata["exercise"]
        cell.metadata["nbgrader"] = _graded(f"{name}-answer", solution=True)
    elif "check" in cell.metadata:
        name = cell.metadata["check"]
        cell.metadata["nbgrader"] = _graded(name, points=exercise(name).points)
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


def _task(exercise_id: str) -> list[NotebookNode]:
    asked = exercise(exercise_id)
    dots = "●" * asked.difficulty + "○" * (5 - asked.difficulty)
    code = f"```python\n{asked.signature}\n```"
    unit = "point" if asked.points == 1 else "points"
    text = Text(
        en=f"### Exercise: {asked.title.en}\n\n"
        f"`{asked.id}` · difficulty {dots} · {asked.minutes} min · {asked.points:g} {unit}\n\n"
        f'{asked.task.en}\n\n{code}\n\nStuck? Run `hint("{asked.id}")` in a new cell.',
        zh=f"### 练习：{asked.title.zh}\n\n"
        f"`{asked.id}` · 难度 {dots} · {asked.minutes}分钟 · {asked.points:g}分\n\n"
        f'{asked.task.zh}\n\n{code}\n\n卡住了？新建一个单元格，运行`hint("{asked.id}")`。',
    )
    return _prose(text)


def _prose(text: Text) -> list[NotebookNode]:
    twins = [
        new_markdown_cell(text.en, metadata={"lang": "en"}),
        new_markdown_cell(text.zh, metadata={"lang": "zh"}),
    ]
    return [_finished(cell) for cell in twins]


def _identity(cell: NotebookNode, seen: Counter[str]) -> str:
    """Return an id that stays when other cells change: learners' copies are matched by it."""
    for role in ("exercise", "check", "thinking"):
        if role in cell.metadata:
            return f"{role}-{cell.metadata[role]}"
    digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
