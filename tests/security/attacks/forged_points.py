"""Gives its exercise a thousand points."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for name in (EXERCISE, f"{EXERCISE}-answer"):
        cell_of(book, name).metadata.nbgrader.update(points=1000, max_score=1000, score=1000)
