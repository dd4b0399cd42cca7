"""How much a page shows of what a student wrote, and how long it may take."""

from __future__ import annotations

TEXT = 20_000  # characters of one text; the course's longest cell has 4000
FORMULA = 2_000  # characters; the course's longest has 200
SHOWN_OUTPUT = 10_000  # characters
PAGE_SECONDS = 20.0  # of CPU, then all of it is shown as it was written; a chapter takes 1
