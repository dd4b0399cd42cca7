"""Reads the solution from the folders above, where a course keeps it."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""
import glob, os

for pattern in (course + "/**/*.ipynb", "../**/*.ipynb", "../../**/*.ipynb", "/tmp/**/*.ipynb"):
    for path in glob.glob(pattern, recursive=True):
        print("STOLEN", path, open(path).read()[:200])
{WORTHLESS}"""
NEEDS = 2
