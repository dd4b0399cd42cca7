"""Pastes a hundred thousand pictures into a text cell, one with half a character as its name."""

from nbformat.v4 import new_markdown_cell

from autograde.demo.workbook import Workbook


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    cell = new_markdown_cell("![](attachment:1)")
    cell.attachments = {str(number): {"image/png": "iVBORw0="} for number in range(100_000)}
    cell.attachments["\ud800"] = {"image/png": "A" * 1_000_000}
    book.notebook.cells.append(cell)
