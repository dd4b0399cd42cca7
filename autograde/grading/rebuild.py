"""Turns a submitted notebook into one that can be graded; the record identifies its cells.

A student's notebook may hold anything. Kept are the text of the cells that students may edit and
the order of the cells. Names, points, tags and locked text come from the record. If a cell exists
twice, the last one counts, as in nbgrader's own DeduplicateIds, and the others become plain cells.
Deleted cells, and answers without a visible character, come back as they were released.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from nbformat import NotebookNode, from_dict

from autograde.grading.record import Record, RecordedCell
from autograde.handed_in.cells import SubmittedCell

RESTORED = "restored"  # in a cell's metadata: the submission lacked the cell or left it blank
EMPTY: dict[str, dict[str, Any]] = {
    "code": {"execution_count": None, "outputs": []},
    "markdown": {},
    "raw": {},
}


def rebuild(submitted: Sequence[SubmittedCell], record: Record) -> list[NotebookNode]:
    """Return the cells of a submission with the identity that the record gives them."""
    by_name = {cell.name: cell for cell in record.cells}
    last = {cell.name: index for index, cell in enumerate(submitted)}
    cells: list[NotebookNode] = []
    placed: dict[str, NotebookNode] = {}
    for index, cell in enumerate(submitted):
        recorded = by_name.get(cell.name) if last[cell.name] == index else None
        if recorded and not recorded.locked and _is_blank(cell):
            cells.append(_as_released(recorded))
        else:
            cells.append(_restored(cell, recorded) if recorded else _plain(cell))
        if recorded:
            placed[recorded.name] = cells[-1]
    _return_deleted(cells, record, placed)
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    return cells


def _is_blank(cell: SubmittedCell) -> bool:
    visible = any(unicodedata.category(one)[0] not in "CZ" for one in cell.source)
    return not (visible or cell.pictures)


def _as_released(recorded: RecordedCell) -> NotebookNode:
    metadata = {**recorded.metadata(), RESTORED: True}
    return _new_cell(recorded.cell_type, recorded.source, metadata)


def _plain(cell: SubmittedCell) -> NotebookNode:
    return _with_pictures(_new_cell(cell.cell_type, cell.source), cell)


def _restored(cell: SubmittedCell, recorded: RecordedCell) -> NotebookNode:
    source = recorded.source if recorded.locked else cell.source
    new = _new_cell(recorded.cell_type, source, recorded.metadata())
    return new if recorded.locked else _with_pictures(new, cell)


def _with_pictures(new: NotebookNode, cell: SubmittedCell) -> NotebookNode:
    if cell.pictures and new.cell_type == "markdown":
        new.attachments = from_dict(cell.pictures)
    return new


def _new_cell(
    cell_type: str, source: str, metadata: Mapping[str, Any] = MappingProxyType({})
) -> Any:
    # not nbformat's new_…_cell, which validates each cell: these are valid
    cell = {"cell_type": cell_type, "metadata": dict(metadata), "source": source}
    return from_dict({**cell, **EMPTY[cell_type]})


def _return_deleted(
    cells: list[NotebookNode], record: Record, placed: dict[str, NotebookNode]
) -> None:
    before: NotebookNode | None = None
    for recorded in record.cells:
        if recorded.name not in placed:
            index = 0 if before is None else _index_of(cells, before) + 1
            cell = _as_released(recorded)
            cells.insert(index, cell)
            placed[recorded.name] = cell
        before = placed[recorded.name]


def _index_of(cells: list[NotebookNode], cell: NotebookNode) -> int:
    return next(index for index, one in enumerate(cells) if one is cell)
