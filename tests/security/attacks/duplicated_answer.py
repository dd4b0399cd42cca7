"""Pastes the answer cell, metadata with it: stock nbgrader then stops for the whole class."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, WORTHLESS


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    book.copy_cell(f"{EXERCISE}-answer").source = WORTHLESS
