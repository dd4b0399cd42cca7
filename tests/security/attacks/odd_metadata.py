"""Hands in metadata of every wrong type."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for value in ([], "text", 7, None, {"grade_id": {}}, {"grade_id": EXERCISE, "points": "inf"}):
        book.copy_cell(EXERCISE).metadata["nbgrader"] = value
