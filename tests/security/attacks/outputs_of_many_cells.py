"""Prints as much as a cell may, in hundreds of cells: together too much for the grader."""

from nbformat.v4 import new_code_cell

from autograde.demo.workbook import Workbook

PLAIN = "a notebook of hundreds of megabytes goes into the gradebook's folder"


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    loud = "print('x' * 190_000)\nfor _ in range(900):\n    display(0)"
    book.notebook.cells[1:1] = [new_code_cell(loud) for _ in range(500)]
