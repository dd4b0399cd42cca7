"""Answers for the cell, then reads nothing: the grader's next message fills the socket."""

from nbformat.v4 import new_code_cell

from autograde.demo.workbook import Workbook
from tests.security.pieces import CHANNEL, EXERCISE, WORTHLESS, cell_of

ANSWER = f"""{WORTHLESS}{CHANNEL}
channel().sendall(frame({{}}, b'[]'))
time.sleep(60)
"""


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    answer = cell_of(book, f"{EXERCISE}-answer")
    answer.source = ANSWER
    place = book.notebook.cells.index(answer) + 1
    book.notebook.cells.insert(place, new_code_cell("#" * 900_000))
