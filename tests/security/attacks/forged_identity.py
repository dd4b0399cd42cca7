"""Gives the check's name to the answer cell, and the answer's to the check cell."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    check, answer = cell_of(book, EXERCISE), cell_of(book, f"{EXERCISE}-answer")
    answer.source = "2.0"
    names = check.metadata.nbgrader.grade_id, answer.metadata.nbgrader.grade_id
    answer.metadata.nbgrader.grade_id, check.metadata.nbgrader.grade_id = names
