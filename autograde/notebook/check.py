"""`check(id, answer)`: the last line of every exercise, in the notebook and in nbgrader."""

from __future__ import annotations

import os
import textwrap
from dataclasses import replace

from autograde.kit import catalogue
from autograde.kit.exercise import Function
from autograde.notebook.records import record
from autograde.notebook.report import report
from autograde.notebook.stale import stale_warnings
from autograde.notebook.verdict_output import show


class NotFull(Exception):
    """Raised only under nbgrader's Validate, which shows the text of errors, not prints."""

    def _render_traceback_(self) -> list[str]:
        # IPython's own hook: the report alone, without a traceback
        return [line for report_line in str(self).split("\n") for line in _folded(report_line)]


def _folded(line: str) -> list[str]:
    # nbgrader cuts what is longer than its page of 90, less an indent of 4 and an ellipsis
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, 80, subsequent_indent=indent, drop_whitespace=False) or [""]


def check(exercise_id: str, answer: Function, points: float | None = None) -> float:
    """Test `answer`, print what is right and what is wrong and why, and return the points.

    points: what the exercise is worth, if a teacher has changed it.
    The result is a builtin float, the one type that nbgrader reads as partial credit.
    Raises `UnknownName` for an id that does not exist.
    """
    # imported here: they load torch, which `python -m autograde` does not need
    from autograde.kit.scoring import evaluate
    from autograde.notebook.unattended import unattended

    exercise = catalogue.exercise(exercise_id)
    if points is not None:
        exercise = replace(exercise, points=points)
    with unattended():
        verdict = evaluate(exercise, answer)
    words = "\n".join([*map(str, stale_warnings(answer)), report(verdict)])
    if os.environ.get("NBGRADER_EXECUTION") == "validate" and not verdict.full:
        raise NotFull(words)
    show(verdict, words)
    record(verdict)
    return verdict.score
