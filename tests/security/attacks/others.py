"""Reads and overwrites what another student has handed in."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
path = course + "/submitted/other/00_start/00_start.ipynb"
print(open(path).read())
open(path, "w").write("{}")
""")
NEEDS = 2
