"""Three-way renewal of one notebook: the course's old text, the learner's file, the course's new text.

Cells are matched by identity, not by similarity: course cells carry stable ids and exercises carry
an id of their own, so whose words a cell holds is known, never guessed. (nbdime's `merge_notebooks`
matches cells by likeness of text and writes conflict marks *into* a cell; an answer between such
marks is no longer Python, and a moved cell comes back as a deletion and an insertion.)

The rules, cell by cell:

- what the learner did not change becomes the new text; what only the learner changed stays;
- both changed it: an answer stays the learner's, with the new starting code in a note below it;
  any other cell becomes the new text, with the learner's version in a plain cell below it;
- cells that the learner added stay after the course cell that they followed;
- an answer to an exercise that is gone stays at the end, with a note.

`renew(base, renew(base, mine, new), new)` equals `renew(base, mine, new)`: an update that was
interrupted between two files can simply be run again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import deepcopy
from itertools import chain

from nbformat import NotebookNode

from cells import Cell, content, is_answer, is_locked, key, note, outputs, plain
from notes import EXERCISE_GONE, NEW_START, TEXT_CHANGED, TEXT_GONE

TOP = ""  # the anchor of cells that precede every course cell
Course = dict[str, Cell]


def renew(
    base: NotebookNode | None,
    mine: NotebookNode,
    new: NotebookNode,
    elsewhere: Mapping[str, str] | None = None,
) -> NotebookNode:
    """Return the new course notebook with all that the learner wrote in `mine`.

    `base` is the course notebook that `mine` began as; None when that is unknown, and then every
    difference counts as the learner's. `elsewhere` maps answer ids to answers that the learner
    wrote in other notebooks, for exercises that have moved here.
    """
    then, now = _by_key(base), _by_key(new)
    found = recognise(mine.cells, then, now)
    ours = {name: mine.cells[i] for i, name in found.items()}
    own: dict[str, list[Cell]] = defaultdict(list)
    farewell: list[Cell] = []
    anchor = TOP
    for i, cell in enumerate(mine.cells):
        name = found.get(i)
        if name is None:
            own[anchor].append(plain(cell))
        elif name in now:
            anchor = name
        elif content(cell) != content(then[name]):
            if is_answer(then[name]):
                farewell += [note(name, EXERCISE_GONE), plain(cell, answers=name)]
            else:
                own[anchor] += [note(name, TEXT_GONE), plain(cell, copy_of=name)]
    cells = list(own[TOP])
    for name, cell in now.items():
        cells += _renewed(then.get(name), ours.get(name), cell, elsewhere or {}) + own[name]
    result = deepcopy(new)
    result.cells = _distinct(cells + farewell, now)
    result.metadata = _merged(base.metadata if base else {}, mine.metadata, new.metadata)
    return result


def recognise(cells: list[Cell], then: Course, now: Course) -> dict[int, str]:
    """Return which of the learner's `cells` are course cells: position -> key of the course cell.

    The surest sign first: id and exercise id; id alone; exercise id alone (a pasted cell, or a tool
    that drops ids); the very text of the course. A second claim on one course cell is a copy that
    the learner made, and theirs.
    """
    course = [*now.values(), *then.values()]
    exact = {(cell.id, key(cell)): key(cell) for cell in course}
    by_id = {cell.id: key(cell) for cell in course}
    by_text = {content(cell): key(cell) for cell in then.values()}
    found: dict[int, str] = {}
    for sign in (
        lambda cell: exact.get((cell.id, key(cell))),
        lambda cell: by_id.get(cell.id),
        lambda cell: key(cell) if key(cell) in then or key(cell) in now else None,
        lambda cell: by_text.get(content(cell)),
    ):
        taken = set(found.values())
        for i, cell in enumerate(cells):
            name = sign(cell)
            if name is not None and i not in found and name not in taken:
                found[i] = name
                taken.add(name)
    return found


def answers_left_behind(
    base: NotebookNode, mine: NotebookNode, new: NotebookNode | None
) -> dict[str, str]:
    """Return the learner's answers in `mine` to exercises that its `new` version no longer has."""
    then, now = _by_key(base), _by_key(new)
    found = recognise(mine.cells, then, now)
    left = {
        name: mine.cells[i].source
        for i, name in found.items()
        if name not in now and is_answer(then[name])
        and content(mine.cells[i]) != content(then[name])
    }  # fmt: skip
    marked = ((cell.metadata.get("study", {}).get("answers"), cell.source) for cell in mine.cells)
    return {name: source for name, source in marked if name and name not in now} | left


def _renewed(
    then: Cell | None, ours: Cell | None, now: Cell, elsewhere: Mapping[str, str]
) -> list[Cell]:
    """Return the cell(s) that stand where the course has `now`."""
    unchanged = ours is None or content(ours) in (content(now), then and content(then))
    if unchanged and is_answer(now) and key(now) in elsewhere:
        return [_answered(now, elsewhere[key(now)])]
    if unchanged:
        return [_with_outputs(now, then, ours)]
    course_changed = then is None or content(then) != content(now)
    if is_answer(now):
        kept = (
            _in_place(ours, now) if ours.cell_type == now.cell_type else _answered(now, ours.source)
        )
        start = f"```python\n{now.source}\n```"
        return [kept, note(key(now), NEW_START, start)] if then and course_changed else [kept]
    if course_changed or is_locked(now):
        return [deepcopy(now), note(key(now), TEXT_CHANGED), plain(ours, copy_of=key(now))]
    return [_in_place(ours, now)]
