"""Hands in a notebook with a score saved as the check cell's output."""

from nbformat.v4 import new_output

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    full = new_output("execute_result", data={"text/plain": "2.0"}, execution_count=1)
    cell_of(book, EXERCISE).outputs = [full]
    book.notebook.metadata.widgets = {"state": {"score": 2.0}}
