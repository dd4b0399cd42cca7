"""Says that its cells are of a schema that nbgrader does not know."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE


def attack(book: Workbook) -> None:
    """Do it."""
    for name in (EXERCISE, f"{EXERCISE}-answer"):
        book.cell(name).metadata.nbgrader.schema_version = 99
