"""Writes the score into the check cell."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE


def attack(book: Workbook) -> None:
    """Do it."""
    book.cell(EXERCISE).source = "2.0"
