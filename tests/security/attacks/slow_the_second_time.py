"""Ends its process, so that its cells run again, and takes its time over that."""

from nbformat.v4 import new_code_cell

from autograde.demo.workbook import Workbook

SLOW = """
import os, time

if os.getuid() % 2 or os.getppid() % 2:
    time.sleep(1)
"""


def attack(book: Workbook) -> None:
    """Edit the released notebook."""
    book.notebook.cells[1:1] = [new_code_cell(SLOW) for _ in range(40)]
    book.notebook.cells.insert(41, new_code_cell("import os\n\nos._exit(0)"))
