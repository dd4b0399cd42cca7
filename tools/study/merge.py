"""Three-way renewal of one notebook: the course then, the learner's file, the course now.

Cells are matched by identity, not by likeness: course cells carry stable ids and exercises an id of
their own, so whose words a cell holds is known, never guessed. (nbdime's `merge_notebooks` matches
by likeness of text and writes conflict marks *into* a cell: an answer between such marks is no
longer Python, and a moved cell becomes a deletion and an insertion.) Cell by cell:

- what the learner did not change becomes the new text; what only the learner changed stays;
- both changed it: an answer stays the learner's, with the new starting code in a note below it; any
  other cell becomes the new text, with the learner's version in a plain cell below it. A cell that
  checks an answer is always the course's;
- cells that the learner added, or copied, stay after the course cell that they followed;
- an answer to an exercise that is gone stays at the end, with a note.

`renew(base, renew(base, mine, new), new)` equals `renew(base, mine, new)`, so an update that was
killed half-way is simply run again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from nbformat import NotebookNode

from tools.study.cells import (
    Cell,
    answered,
    content,
    digest,
    in_place,
    is_answer,
    is_locked,
    key,
    note,
    plain,
    with_outputs,
)
from tools.study.matching import by_key, recognise
from tools.study.texts import EXERCISE_GONE, NEW_START, TEXT_CHANGED, TEXT_GONE

TOP = ""  # what cells before every course cell follow


def renew(
    base: NotebookNode | None,
    mine: NotebookNode,
    new: NotebookNode,
    elsewhere: Mapping[str, str] | None = None,
) -> NotebookNode:
    """Return the `new` course notebook with all that the learner wrote in `mine`.

    `base` is the course notebook that `mine` began as; None if unknown, and then every difference
    counts as the learner's. `elsewhere` holds answers, by exercise id, that the learner wrote in
    another notebook of the course, for an exercise that has now moved here.
    """
    then, now = by_key(base), by_key(new)
    matches = recognise(mine.cells, then, now)
    ours = {name: mine.cells[i] for i, name in matches.items()}
    own: dict[str, list[Cell]] = defaultdict(list)  # by the course cell that they follow
    withdrawn_answers: list[Cell] = []
    anchor = TOP
    for i, cell in enumerate(mine.cells):
        name = matches.get(i)
        if name is None:
            own[anchor].append(plain(cell))
        elif name in now:
            anchor = name
        elif content(cell) == content(then[name]):
            continue  # the course's own words, withdrawn by the course
        elif is_answer(then[name]):
            reason = note(name, EXERCISE_GONE.format(exercise=name))
            withdrawn_answers += [reason, plain(cell, answers=name)]
        else:
            own[anchor] += [note(name, TEXT_GONE), plain(cell, copy_of=name)]
    cells = [*own[TOP]]
    for name, cell in now.items():
        cells += _renewed(then.get(name), ours.get(name), cell, elsewhere or {})
        cells += own[name]
    result = deepcopy(new)
    result.cells = list(_distinct(cells + withdrawn_answers))
    result.metadata = _three_way(base.metadata if base else {}, mine.metadata, new.metadata)
    return result


def _renewed(
    then: Cell | None, ours: Cell | None, now: Cell, elsewhere: Mapping[str, str]
) -> list[Cell]:
    """Return the cell that stands where the course has `now`, and the notes below it."""
    if ours is not None and is_answer(now) and ours.cell_type != now.cell_type:
        ours = answered(now, ours.source)  # a slip of the keyboard, M for "make it Markdown"
    unwritten = ours is None or content(ours) == content(now)
    if unwritten or (then is not None and content(ours) == content(then)):
        if then is None and is_answer(now) and key(now) in elsewhere:
            return [answered(now, elsewhere[key(now)])]
        return [with_outputs(now, then, ours)]
    course_changed = then is None or content(then) != content(now)
    if is_answer(now):
        start = note(key(now), NEW_START, f"```python\n{now.source}\n```")
        return [in_place(ours, now), *([start] if then is not None and course_changed else [])]
    if course_changed or is_locked(now):
        return [deepcopy(now), note(key(now), TEXT_CHANGED), plain(ours, copy_of=key(now))]
    return [in_place(ours, now)]


def _distinct(cells: Iterable[Cell]) -> Iterable[Cell]:
    """Yield the cells with ids that differ, and each of our own notes once."""
    seen: dict[str, Cell] = {}
    for cell in cells:
        repeated = cell.id in seen and cell.source == seen[cell.id].source
        if repeated and "note" in cell.metadata.get("study", {}):
            continue
        while cell.id in seen:
            cell.id = digest(cell.id, cell.source)
        seen[cell.id] = cell
        yield cell


def _three_way(base: Mapping[str, Any], mine: Mapping[str, Any], new: Mapping[str, Any]) -> Any:
    """Return the notebook's metadata: the learner's where they changed it, else the course's."""
    names = [name for name in {**new, **mine} if mine.get(name) != base.get(name) or name in new]
    merged = {n: mine[n] if n in mine and mine[n] != base.get(n) else new[n] for n in names}
    return NotebookNode(deepcopy(merged))
