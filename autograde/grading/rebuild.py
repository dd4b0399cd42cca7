"""Makes of a submitted notebook one that can be graded: who a cell is, the record says.

A student's notebook may hold anything. Of it are kept the words of cells that are theirs to write
and the order of the cells. Names, points, tags and locked words come from the record; of a cell
that exists twice the last is kept, as in nbgrader's own DeduplicateIds, the others become plain
cells; a deleted one comes back as it was released.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from nbformat import NotebookNode, from_dict
from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning

from autograde.grading.files import NotGradable
from autograde.grading.record import Record, RecordedCell

CELLS = 2_000
CHARACTERS = 5_000_000  # of all sources together
PICTURES = ("image/png", "image/jpeg")
EMPTY: dict[str, dict[str, Any]] = {
    "code": {"execution_count": None, "outputs": []},
    "markdown": {},
    "raw": {},
}


@contextmanager
def without_format_warnings() -> Iterator[None]:
    """Read a submission without nbformat's warnings of cell ids: `rebuild` gives every cell one."""
    with warnings.catch_warnings():
        for known in (DuplicateCellId, MissingIDFieldWarning):
            warnings.simplefilter("ignore", known)
        yield


def rebuild(submitted: NotebookNode, record: Record) -> list[NotebookNode]:
    """Return the cells of a submission with the identity that the record gives them.

    Raises `NotGradable` if it is not a list of cells with words, or is larger than any chapter.
    """
    written = _cells(submitted)
    known = {cell.name: cell for cell in record.cells}
    last = {_grade_id(cell): place for place, cell in enumerate(written)}
    cells: list[NotebookNode] = []
    placed: dict[str, NotebookNode] = {}
    for place, cell in enumerate(written):
        name = _grade_id(cell)
        recorded = known.get(name) if last[name] == place else None
        cells.append(_restored(cell, recorded) if recorded else _plain(cell))
        if recorded:
            placed[name] = cells[-1]
    _return_deleted(cells, record, placed)
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    return cells


def _cells(submitted: Any) -> list[Any]:
    cells = submitted.get("cells") if isinstance(submitted, dict) else None
    if not isinstance(cells, list) or len(cells) > CELLS:
        raise NotGradable(f"a notebook has a list of at most {CELLS} cells")
    for cell in cells:
        fits = isinstance(cell, dict) and isinstance(cell.get("source"), str)
        if not fits or cell.get("cell_type") not in EMPTY:
            raise NotGradable("a cell is code or text, and has a source")
    if sum(len(cell["source"]) for cell in cells) > CHARACTERS:
        raise NotGradable(f"a notebook has at most {CHARACTERS} characters")
    return cells


def _grade_id(cell: Any) -> str | None:
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return name if isinstance(name, str) else None


def _plain(cell: Any) -> NotebookNode:
    made = _made(cell["cell_type"], _words(cell["source"]))
    attached = _pictures(cell.get("attachments"))
    if attached and made.cell_type == "markdown":
        made.attachments = attached
    return made


def _restored(cell: Any, recorded: RecordedCell) -> NotebookNode:
    source = recorded.source if recorded.locked else _words(cell["source"])
    made = _made(recorded.cell_type, source, recorded.metadata())
    attached = _pictures(cell.get("attachments"))
    if attached and recorded.cell_type == "markdown" and not recorded.locked:
        made.attachments = attached
    return made


def _made(cell_type: str, source: str, metadata: Mapping[str, Any] = MappingProxyType({})) -> Any:
    # not nbformat's new_…_cell, which validates each: the notebook is validated as a whole
    cell = {"cell_type": cell_type, "metadata": dict(metadata), "source": source}
    return from_dict({**cell, **EMPTY[cell_type]})


def _words(text: str) -> str:
    # a lone surrogate can be written in JSON, and in no file
    return text.encode("utf-8", "replace").decode()


def _pictures(attachments: Any) -> dict[str, dict[str, str]]:
    """Return the pictures pasted into a text cell; other attachments are dropped."""
    if not isinstance(attachments, dict):
        return {}
    found = {
        str(name): {kind: data for kind, data in bundle.items() if _is_picture(kind, data)}
        for name, bundle in attachments.items()
        if isinstance(bundle, dict)
    }
    return {name: bundle for name, bundle in found.items() if bundle}


def _is_picture(kind: Any, data: Any) -> bool:
    letters = isinstance(data, str) and data.isascii() and len(data) < CHARACTERS
    return kind in PICTURES and letters and not set(data) & set("\"'<>&:")


def _return_deleted(
    cells: list[NotebookNode], record: Record, placed: dict[str, NotebookNode]
) -> None:
    before: NotebookNode | None = None
    for recorded in record.cells:
        if recorded.name not in placed:
            place = 0 if before is None else _place(cells, before) + 1
            made = _made(recorded.cell_type, recorded.source, recorded.metadata())
            cells.insert(place, made)
            placed[recorded.name] = made
        before = placed[recorded.name]


def _place(cells: list[NotebookNode], wanted: NotebookNode) -> int:
    return next(place for place, cell in enumerate(cells) if cell is wanted)
