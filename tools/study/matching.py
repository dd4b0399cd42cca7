"""Which of a learner's cells are the course's: by identity, not by likeness (merge.py)."""

from __future__ import annotations

from collections.abc import Mapping

from nbformat import NotebookNode

from tools.study.cells import Cell, content, is_answer, key


def by_key(notebook: NotebookNode | None) -> dict[str, Cell]:
    """Return the cells of a course notebook by their key, in order; {} without a notebook."""
    return {} if notebook is None else {key(cell): cell for cell in notebook.cells}


def recognise(
    cells: list[Cell], then: Mapping[str, Cell], now: Mapping[str, Cell]
) -> dict[int, str]:
    """Return which of the learner's `cells` are course cells: position -> key.

    The surest sign first: cell id and exercise id; cell id alone; exercise id alone (some tools
    drop cell ids); the very text of the course. A second claim on one course cell is a copy that
    the learner made, and theirs.
    """
    course = [*now.values(), *then.values()]  # where they differ, the learner's file is like `then`
    exact = {(cell.id, key(cell)): key(cell) for cell in course}
    by_id = {cell.id: key(cell) for cell in course}
    by_text = {repr(content(cell)): name for name, cell in then.items() if name in now}
    signs = (
        lambda cell: exact.get((cell.id, key(cell))),
        lambda cell: by_id.get(cell.id),
        lambda cell: key(cell) if key(cell) in then or key(cell) in now else None,
        lambda cell: by_text.get(repr(content(cell))),
    )
    matches: dict[int, str] = {}
    for sign in signs:
        claimed = set(matches.values())
        for i, cell in enumerate(cells):
            name = sign(cell)
            if name is not None and i not in matches and name not in claimed:
                matches[i] = name
                claimed.add(name)
    return matches


def answers_left_behind(
    base: NotebookNode, mine: NotebookNode, new: NotebookNode | None
) -> dict[str, str]:
    """Return the learner's answers in `mine`, by exercise id, that `new` has no cell for."""
    then, now = by_key(base), by_key(new)
    marks = ((cell.metadata.get("study", {}).get("answers"), cell.source) for cell in mine.cells)
    left = {name: source for name, source in marks if name}  # by an earlier update
    for i, name in recognise(mine.cells, then, now).items():
        cell = mine.cells[i]
        if name not in now and is_answer(then[name]) and content(cell) != content(then[name]):
            left[name] = cell.source
    return left
