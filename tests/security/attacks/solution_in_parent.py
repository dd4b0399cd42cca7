"""Reads the solution from the folders above, where a course keeps it."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import glob
for pattern in (course + "/**/*.ipynb", "../*/*/*.ipynb", "../../*/*/*.ipynb"):
    for path in glob.glob(pattern, recursive=True):
        print("STOLEN", path, open(path).read(200))
""")
NEEDS = 2
