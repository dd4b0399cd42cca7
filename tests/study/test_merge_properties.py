"""Whatever the learner and the course do to a notebook, nothing that was written is lost."""

from copy import deepcopy

import nbformat
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell

from tests.study.course import answer, check, lesson, prose
from tools.study.merge import renew

EDITS = st.lists(
    st.tuples(
        st.sampled_from(["edit", "insert", "delete", "move", "duplicate", "retype"]),
        st.integers(0, 20),
        st.integers(0, 20),
    ),
    max_size=12,
)


def edited(notebook, edits, author):
    """Return the notebook after `edits`; every line that they write names the author."""
    notebook = deepcopy(notebook)
    cells = notebook.cells
    for number, (kind, here, there) in enumerate(edits):
        line = f"{author} wrote line {number}"
        here, there = here % max(len(cells), 1), there % (len(cells) + 1)
        if kind == "insert" or not cells:
            cells.insert(there, INSERT[author](number, line))
        elif kind == "edit":
            cells[here].source += f"\n{line}"
        elif kind == "delete":
            del cells[here]
        elif kind == "move":
            cells.insert(there, cells.pop(here))
        elif author == "learner" and kind == "duplicate":
            copy = deepcopy(cells[here])
            copy.id = f"copy-{number}"
            cells.insert(there, copy)
        elif author == "learner":
            cells[here] = retyped(cells[here])
    return notebook


def course_cell(number, line):
    """A new course cell: prose, an exercise or a check, in turn."""
    kinds = (prose, answer, check)
    return kinds[number % 3](f"new-{number}", line)


def retyped(cell):
    new = prose(cell.id, cell.source) if cell.cell_type == "code" else new_code_cell(cell.source)
    new.id, new.metadata = cell.id, cell.metadata
    return new


INSERT = {
    "learner": lambda number, line: new_code_cell(line, id=f"own-{number}"),
    "course": course_cell,
}


def lines_of(notebook, author):
    text = "\n".join(cell.source for cell in notebook.cells)
    return {line for line in text.splitlines() if line.startswith(author)}


def answers(notebook):
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }


@settings(max_examples=100, deadline=None)
@given(learner=EDITS, course=EDITS, later=EDITS)
def test_nothing_that_a_learner_wrote_is_lost(learner, course, later):
    base = lesson()
    mine, new = edited(base, learner, "learner"), edited(base, course, "course")
    result = renew(base, mine, new)
    nbformat.validate(result)
    assert lines_of(mine, "learner") <= lines_of(result, "learner")

    first_given, now = answers(base), answers(new)
    before = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in mine.cells
        if cell.id in first_given and cell.source != first_given[cell.id]
    }
    after = answers(result)
    assert {name: after[name] for name in before if name in now} == {
        name: source for name, source in before.items() if name in now
    }
    assert set(after) == set(now)
    ids = [cell.id for cell in result.cells]
    assert [i for i in ids if i in {c.id for c in new.cells}] == [c.id for c in new.cells]

    assert renew(base, result, new) == result, "an update that was interrupted changes nothing"
    assert renew(new, result, new) == result, "nor does a second one"

    third = edited(new, later, "course")
    assert lines_of(mine, "learner") <= lines_of(renew(new, result, third), "learner")
