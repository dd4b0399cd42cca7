"""Hands in a notebook without cells."""

from autograde.demo.workbook import Workbook


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    book.notebook.cells.clear()
