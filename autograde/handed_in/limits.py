"""How much of a submission is read, and how much of it is kept.

`grading/limits.py` limits the processes that grade, `pages/limits.py` what a page shows.
"""

from __future__ import annotations

from confined.limits import MEBI

NOTEBOOK_BYTES = 50 * MEBI  # of the notebook, saved outputs and pasted pictures included
BESIDE_BYTES = 16 * MEBI  # of all files beside it together
BESIDE_FILES = 200
DEEPEST = 8  # folders within folders
ENTRIES = 10_000  # files that are looked at

# what is kept of the notebook: the longest chapter has 238 cells and 80,000 characters
CELLS = 1_000
CHARACTERS = 1_000_000  # of all sources together
PASTED = 200  # pictures in text cells
PASTED_CHARACTERS = 8 * MEBI
PASTED_PIXELS = 100_000_000  # of all pasted pictures together; a phone's photo has 12 million
NAME = 200  # characters of a picture's name

WHY = 500  # characters of why a submission cannot be graded
