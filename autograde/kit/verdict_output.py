"""Shows a report in the notebook, with the verdict beside it for who reads the notebook later.

Report and verdict are one output: the words are its text, the verdict is its metadata, which no
front end shows and nbval does not compare. nbgrader's scorer passes over a display and takes the
number that follows it. The teacher's table (`results.py`) reads the verdict back.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from IPython import get_ipython
from IPython.display import display

from autograde.kit.verdict import Verdict

KEY = "posenc"


def show(verdict: Verdict, words: str) -> None:
    """Show `words`, the report on `verdict`; outside of IPython, print them."""
    if get_ipython() is None:
        print(words)
    else:
        display({"text/plain": words}, raw=True, metadata={KEY: payload(verdict)})


def payload(verdict: Verdict) -> dict[str, Any]:
    """Return what tables and the feedback page need of a verdict, as plain JSON values.

    `reasons` says why each failed check failed; there is none while nothing failed.
    """
    likely = verdict.misconception
    failed = [outcome for outcome in verdict.outcomes if outcome.reason]
    reason = likely.sentence if likely else next((outcome.reason for outcome in failed), None)
    reasons = {outcome.check.name: asdict(outcome.reason) for outcome in failed}
    return {
        "exercise": verdict.exercise.id,
        "unsolved": verdict.unsolved,
        "failed": [outcome.check.name for outcome in failed],
        "misconception": likely.name if likely else None,
        "reason": asdict(reason) if reason else None,
        **({"reasons": reasons} if reasons else {}),
    }
