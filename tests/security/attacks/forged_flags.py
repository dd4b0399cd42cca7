"""Unlocks the check cell, makes the answer a graded cell, tags and a checksum of its own."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE


def attack(book: Workbook) -> None:
    """Do it."""
    check = book.cell(EXERCISE)
    check.source = "2.0"
    check.metadata.tags = ["raises-exception", "remove-cell", "parameters"]
    check.metadata.nbgrader.update(locked=False, grade=False, checksum="0" * 32, task=True)
    book.cell(f"{EXERCISE}-answer").metadata.nbgrader.update(grade=True, points=2, locked=True)
