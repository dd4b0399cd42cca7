"""Writes the score into the check cell."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    cell_of(book, EXERCISE).source = "2.0"
