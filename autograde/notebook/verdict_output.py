"""Shows a report in the notebook, with the verdict beside it for whoever reads the notebook later.

Report and verdict are one output: the words are its text, the verdict is its metadata. nbgrader's
scorer passes over a display and takes the number that follows it.
"""

from __future__ import annotations

from IPython import get_ipython
from IPython.display import display

from autograde.kit.cell_role import KEY
from autograde.kit.verdict import Verdict
from autograde.kit.verdict_record import VerdictRecord


def show(verdict: Verdict, words: str) -> None:
    """Show `words`, the report on `verdict`; outside of IPython, print them."""
    if get_ipython() is None:
        print(words)
    else:
        record = VerdictRecord.of(verdict).to_json()
        display({"text/plain": words}, raw=True, metadata={KEY: record})
