"""Hands in a notebook without cells."""

from autograde.demo.workbook import Workbook


def attack(book: Workbook) -> None:
    """Do it."""
    book.notebook.cells.clear()
