"""Writes texts and code that regular expressions of a page read with the square of their length."""

from nbformat.v4 import new_code_cell, new_markdown_cell

from autograde.demo.workbook import Workbook

TEXTS = ["a" + " " * 19_000 + "b", " \n" * 9_000 + "b", "$" + "{" * 1_900 + "$ ", "> " * 9_000]


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for text in TEXTS * 6:
        book.notebook.cells += [new_markdown_cell(text), new_code_cell(f"'''{text}'''")]
