"""Names cells like paths out of the course, and gives them ids of that kind."""

from autograde.demo.workbook import Workbook
from tests.security.pieces import EXERCISE


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    for number, name in enumerate(("../../gradebook.db", "/etc/passwd", "a/../..", "x" * 10_000)):
        pasted = book.copy_cell(EXERCISE)
        pasted.metadata.nbgrader.grade_id = pasted.id = name
        pasted.metadata.name = f"{name}{number}"
