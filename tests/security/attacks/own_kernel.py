"""Asks for a kernel and a language of its own."""

from autograde.demo.workbook import Workbook


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    book.notebook.metadata.kernelspec = {"name": "mine", "display_name": "m", "language": "bash"}
    book.notebook.metadata.language_info = {"name": "bash", "version": "../../x"}
