"""Prints a hundred million characters."""

from tests.security.pieces import everywhere

ANSWER = everywhere('for _ in range(100):\n    print("x" * 1_000_000)')
PLAIN = "a line of 100 MB goes into the notebook and the gradebook's folder"
