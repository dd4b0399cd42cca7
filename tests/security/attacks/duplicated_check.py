"""Pastes the check cell many times, each with a score in it."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for _ in range(20):
        book.copy_cell(EXERCISE).source = "2.0"
