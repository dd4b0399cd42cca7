"""How much a process that grades may use, outside of confinement, and how much it returns.

`handed_in/limits.py` limits what is read of a submission, `confined/limits.py` what graded code
may use, and `confined/frames.py` and `confined/values.py` what one of its messages may hold.
"""

from __future__ import annotations

from confined.limits import MEBI

OUTPUTS = 5_000  # of all cells together; a chapter has 87
OUTPUT_CHARACTERS = 8 * MEBI  # a chapter has 0.5
OUTPUT_PIXELS = 100_000_000  # of all pictures together; a chapter has 3 million
LOG = 10_000  # characters of the traceback when the grader fails

# of a process that grades, and of the one that writes the gradebook
MEMORY = 4096 * MEBI  # bytes of data; a chapter's grading takes a tenth
SECONDS = 60.0  # for one submission, in addition to what a confined worker may take
LATER = 10.0  # more seconds of CPU, until the system ends a process that has not stopped by itself
