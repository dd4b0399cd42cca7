"""Shows and clears again and again, so that what is kept stays within the limit."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
from IPython.display import clear_output

while True:
    print("x" * 100_000)
    clear_output()
"""
PLAIN = "its output fills the memory of the grader"
