"""Saves a hundred thousand outputs that are not: nbformat makes a tree of errors of each."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of

PLAIN = "takes 5 GB of memory and minutes before anything is graded"


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    cell_of(book, EXERCISE).outputs = [{"x": number} for number in range(100_000)]
