"""Turns the check cell into text, and the answer into a raw cell."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for name, kind in ((EXERCISE, "markdown"), (f"{EXERCISE}-answer", "raw")):
        cell = cell_of(book, name)
        cell.cell_type = kind
        cell.metadata.nbgrader.cell_type = kind
        del cell["outputs"], cell["execution_count"]
