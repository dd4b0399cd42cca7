"""Which cell is which, where a submission has one twice."""

from autograde.grading.cells import SubmittedCell
from autograde.grading.rebuild import rebuild
from autograde.grading.record import Record, RecordedCell

CELL = {"grade": False, "solution": True, "task": False, "locked": False, "points": None}
ANSWER = RecordedCell("table-answer", "code", "", "", **CELL)


def test_of_a_cell_that_is_there_twice_the_last_counts_and_the_first_is_kept():
    cells = [SubmittedCell("code", source, ANSWER.name) for source in ("first = 1", "second = 2")]
    first, second = rebuild(cells, Record((ANSWER,), {}))
    assert (first.source, second.source) == ("first = 1", "second = 2")
    assert "nbgrader" not in first.metadata
    assert second.metadata == ANSWER.metadata()
