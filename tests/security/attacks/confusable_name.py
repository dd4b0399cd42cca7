"""Names a copy of the check cell with letters that look the same, and with invisible ones."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for name in (EXERCISE.replace("e", "\u0435"), EXERCISE + "\u200b", "\u202e" + EXERCISE, ""):
        pasted = book.copy_cell(EXERCISE)
        pasted.source = "2.0"
        pasted.metadata.nbgrader.grade_id = name
