"""Writes cells whose brackets, signs and sums go deeper than a parser's stack."""

from nbformat.v4 import new_code_cell

from autograde.demo.workbook import Workbook


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for source in ("(" * 100_000, "x = " + "-" * 200_000 + "1", "x = " + "1+" * 500_000 + "1"):
        book.notebook.cells.insert(1, new_code_cell(source))
