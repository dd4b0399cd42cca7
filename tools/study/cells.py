"""The cells of a course notebook: their key, their content, whose they are."""

from __future__ import annotations

import hashlib
from copy import deepcopy
from typing import Any, TypeAlias

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from autograde.kit.cell_role import KEY
from bilingual import Text

Cell: TypeAlias = NotebookNode


def key(cell: Cell) -> str:
    """Return the exercise id of a graded cell, else the cell's own id: its name across versions."""
    return (cell.metadata.get("nbgrader") or {}).get("grade_id") or cell.id


def content(cell: Cell) -> tuple[str, str, Any]:
    """Return what a person can write in a cell: its type, its text, pictures pasted into it."""
    return cell.cell_type, cell.source, cell.get("attachments") or None


def is_answer(cell: Cell) -> bool:
    """Return whether the learner is asked to write in this cell."""
    return bool((cell.metadata.get("nbgrader") or {}).get("solution"))


def is_locked(cell: Cell) -> bool:
    """Return whether this cell checks an answer, so that its text must be the course's."""
    return bool((cell.metadata.get("nbgrader") or {}).get("locked"))


def plain(cell: Cell, **mark: str) -> Cell:
    """Return the cell as the learner's own: no exercise id, free to edit and delete.

    A second cell with one exercise id would stop nbgrader for the whole class (nbgrader#1083).
    `mark` says what the cell was (`copy_of` or `answers` a key) and gives it an id of its own.
    """
    cell = deepcopy(cell)
    for name in ("nbgrader", KEY, "editable", "deletable"):
        cell.metadata.pop(name, None)
    if mark:
        cell.metadata["study"] = mark
        cell.id = digest(*mark.values(), cell.source)
    return cell


def note(name: str, text: Text, shared: str = "") -> Cell:
    """Return a Markdown cell that says in both languages what became of the course cell `name`."""
    source = f'<div lang="zh">\n\n> {text.zh}\n\n</div>\n<div lang="en">\n\n> {text.en}\n\n</div>'
    source += f"\n\n{shared}" if shared else ""
    metadata = {"study": {"note": name}}
    return new_markdown_cell(source, id=digest("note", name, source), metadata=metadata)


def answered(course: Cell, source: str) -> Cell:
    """Return the course cell with `source` written in it, not yet run."""
    cell = deepcopy(course)
    cell.source = source
    if cell.cell_type == "code":
        cell.outputs, cell.execution_count = [], None
    return cell


def in_place(ours: Cell, course: Cell) -> Cell:
    """Return the learner's cell, type, text and outputs, where and as what the course has it."""
    cell = deepcopy(ours)
    cell.id, cell.metadata = course.id, deepcopy(course.metadata)
    return cell


def with_outputs(course: Cell, then: Cell | None, ours: Cell | None) -> Cell:
    """Return the course cell, with what it printed for the learner if they ran this very text."""
    cell = deepcopy(course)
    if cell.cell_type == "code" and ours is not None and content(ours) == content(course):
        shipped = then.get("outputs") if then is not None else None
        if ours.outputs != shipped:
            cell.outputs, cell.execution_count = deepcopy(ours.outputs), ours.execution_count
    return cell


def digest(*parts: str) -> str:
    """Return a cell id made from `parts`, the same on every run."""
    return "study-" + hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()[:16]
