"""Deletes the check cell: a cell that is not there cannot fail."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    book.notebook.cells.remove(cell_of(book, EXERCISE))
