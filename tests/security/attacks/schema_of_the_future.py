"""Says that its cells are of a schema that nbgrader does not know."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for name in (EXERCISE, f"{EXERCISE}-answer"):
        cell_of(book, name).metadata.nbgrader.schema_version = 99
