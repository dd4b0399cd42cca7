"""How much of a submission is read outside of confinement, and for how long: all in one table.

What graded code itself may use stands in `confined/limits.py`, and what one message of it may hold
where messages are read (`confined/frames.py`, `confined/values.py`).
"""

from __future__ import annotations

from confined.limits import MEBI

# what was handed in
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
NAME = 200  # characters of a picture's name

# what becomes of it
OUTPUTS = 5_000  # of all cells together; a chapter has 87
OUTPUT_CHARACTERS = 8 * MEBI  # a chapter has 0.5
WHY = 500  # characters of why a submission cannot be graded
LOG = 10_000  # characters of the traceback of a fault

# of a process that grades, and of the one that writes the gradebook
MEMORY = 4096 * MEBI  # bytes of data; a chapter's grading takes a tenth
SECONDS = 60.0  # of one submission, beside what a confined worker may take
LATER = 10.0  # seconds of CPU until the system ends a process that does not end the submission

# of a page that shows a submission
TEXT = 20_000  # characters of one text; the course's longest cell has 4000
FORMULA = 2_000  # characters; the course's longest has 200
SHOWN_OUTPUT = 10_000  # characters
PAGE_SECONDS = 20.0  # of CPU, then all of it is shown as it was written; a chapter takes 1
