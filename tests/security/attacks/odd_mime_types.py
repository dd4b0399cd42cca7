"""Shows content of kinds whose names are paths, programs and a hundred thousand letters."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
from IPython.display import display

kinds = ["../../x", "x" * 100_000, "application/javascript", "text/latex", "text/markdown"]
display(dict.fromkeys([*kinds, "text/plain"], "<script>alert(1)</script>"), raw=True)
"""
