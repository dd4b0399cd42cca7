"""Says that its cells are of nbgrader's first schema, whose reading stops a whole class."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE, cell_of


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for name in (EXERCISE, f"{EXERCISE}-answer"):
        del cell_of(book, name).metadata.nbgrader["schema_version"]
