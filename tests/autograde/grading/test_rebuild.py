"""Which cell is which, where a submission has one twice."""

import pytest

from autograde.grading.rebuild import RESTORED, rebuild
from autograde.grading.record import Record, RecordedCell
from autograde.handed_in.cells import SubmittedCell

CELL = {"grade": False, "solution": True, "task": False, "locked": False, "points": None}
ANSWER = RecordedCell("table-answer", "code", "", "", **CELL)


def test_of_a_cell_that_is_there_twice_the_last_counts_and_the_first_is_kept():
    cells = [SubmittedCell("code", source, ANSWER.name) for source in ("first = 1", "second = 2")]
    first, second = rebuild(cells, Record((ANSWER,), {}))
    assert (first.source, second.source) == ("first = 1", "second = 2")
    assert "nbgrader" not in first.metadata
    assert second.metadata == ANSWER.metadata()


@pytest.mark.parametrize(
    "sources", [[], [""], [" \n\u3000\u200b"]], ids=["deleted", "empty", "blanks"]
)
@pytest.mark.parametrize("kind", ["code", "markdown"])
def test_a_deleted_or_blank_answer_comes_back_as_it_was_released(kind, sources):
    """Seen: an emptied written answer waited for the teacher, though a blank one earns 0."""
    released = RecordedCell("why", kind, "Write here", "", **CELL)
    (cell,) = rebuild([SubmittedCell(kind, one, "why") for one in sources], Record((released,), {}))
    assert (cell.source, cell.metadata[RESTORED]) == ("Write here", True)
    assert cell.metadata["nbgrader"] == released.metadata()["nbgrader"]
