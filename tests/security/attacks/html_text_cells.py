"""Writes scripts into text cells, and pastes an SVG as a picture."""

from nbformat.v4 import new_markdown_cell

from autograde.demo.workbook import Workbook

SCRIPT = "<script>alert(1)</script>"


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    pasted = new_markdown_cell(f'{SCRIPT} <a href="javascript:alert(1)">x</a> ![x](attachment:x)')
    pasted.attachments = {f'x"{SCRIPT}': {"image/svg+xml": SCRIPT, "image/png": f'"{SCRIPT}'}}
    book.notebook.cells.insert(1, pasted)
