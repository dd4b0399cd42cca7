"""Adds a thousand cells that sleep half a second each."""

from nbformat.v4 import new_code_cell

from autograde.demo.workbook import Workbook


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    book.notebook.cells += [new_code_cell("import time\ntime.sleep(0.5)") for _ in range(1000)]
