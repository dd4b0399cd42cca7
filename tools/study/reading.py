"""Reading a notebook file that a learner, an editor or a crash has left."""

from __future__ import annotations

import nbformat
from nbformat import NotebookNode, ValidationError

from tools.study.cells import digest

FORMAT, MINOR = 4, 5  # since 4.5 cells have ids


class Unreadable(ValueError):
    """The file is not a notebook: half saved, damaged, or of a later format."""


def read(data: bytes) -> NotebookNode:
    """Return the notebook that a file holds, every cell with an id of its own.

    Raises `Unreadable` for anything but a whole notebook of format 4 or older.
    """
    try:
        notebook = nbformat.reader.reads(data.decode("utf-8"))
        if notebook.nbformat > FORMAT:
            raise Unreadable(f"nbformat {notebook.nbformat}")
        notebook = nbformat.convert(notebook, FORMAT)
        _drop_odd_marks(notebook)
        _give_ids(notebook)
        nbformat.validate(notebook, relax_add_props=True)
        nbformat.writes(notebook).encode("utf-8")  # half a character could not be saved again
    except (
        *(ValueError, KeyError, TypeError, AttributeError, RecursionError),
        ValidationError,
    ) as reason:
        raise Unreadable(str(reason)) from reason
    return notebook


def read_or_none(data: bytes | None) -> NotebookNode | None:
    """Return the notebook; None without a file, or where the file is not a notebook."""
    try:
        return None if data is None else read(data)
    except Unreadable:
        return None


def _drop_odd_marks(notebook: NotebookNode) -> None:
    """Drop what another program left in place of nbgrader's mark of a cell, or of our own."""
    for cell in notebook.cells:
        for name, ids in (("nbgrader", ("grade_id",)), ("study", ("note", "copy_of", "answers"))):
            mark = cell.metadata.get(name, {})
            if not (isinstance(mark, dict) and all(type(mark.get(key, "")) is str for key in ids)):
                del cell.metadata[name]


def _give_ids(notebook: NotebookNode) -> None:
    """Repair missing and doubled cell ids, each time alike; the first of two keeps its id."""
    seen: set[str] = set()
    for cell in notebook.cells:
        cell.setdefault("id", digest("no id", cell.source))
        while cell.id in seen:
            cell.id = digest(cell.id, "again")
        seen.add(cell.id)
    notebook.nbformat_minor = max(MINOR, notebook.nbformat_minor)
