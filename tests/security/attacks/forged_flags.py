"""Unlocks the check cell, makes the answer a graded cell, tags and a checksum of its own."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    check = cell_of(book, EXERCISE)
    check.source = "2.0"
    check.metadata.tags = ["raises-exception", "remove-cell", "parameters"]
    check.metadata.nbgrader.update(locked=False, grade=False, checksum="0" * 32, task=True)
    cell_of(book, f"{EXERCISE}-answer").metadata.nbgrader.update(grade=True, points=2, locked=True)
