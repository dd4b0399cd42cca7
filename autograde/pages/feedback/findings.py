"""The findings in a check cell: each check, why it failed, the common cause.

The sentences of checks and misconceptions are the course's own, found by name; reasons and other
causes are read from the notebook. They quote what the answer returned or raised, so they are shown
as text.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograde.kit.catalogue import UnknownName, exercise
from autograde.kit.exercise import Exercise
from autograde.kit.verdict import Cause
from autograde.kit.verdict_record import Cell, VerdictRecord, verdict_of_cell
from bilingual import Text

LONGEST_REASON = 1_000  # characters of a reason


@dataclass(frozen=True)
class CheckLine:
    """One check: its sentence, whether it passed, and why it did not.

    passes_unchanged: the code to be mended passes it too, so it earns nothing.
    """

    sentence: Text
    passed: bool
    reason: Text | None = None
    passes_unchanged: bool = False
    same: bool = False  # the same reason as for the failed check before


@dataclass(frozen=True)
class Findings:
    """What is known of an answer; if `checks` is empty and it is not `unsolved`, no check ran."""

    checks: tuple[CheckLine, ...] = ()
    unsolved: bool = False
    likely: Text | None = None  # the misconception
    relation: Text | None = None  # or another cause


def course_exercise(name: str) -> Exercise | None:
    """Return the course's exercise of that name; None if a teacher added one of their own."""
    try:
        return exercise(name)
    except UnknownName:
        return None


def findings(task: Exercise, check: Cell) -> Findings:
    """Return the findings in the check cell of an exercise."""
    record = verdict_of_cell(check)
    if record is None:
        return Findings()
    if record.unsolved:
        return Findings(unsolved=True)
    if not record.failed:
        return Findings(_checks(task, record))
    checks = _checks(task, record)
    if record.cause and record.cause.kind != "misconception":
        return Findings(checks, relation=_cut_text(record.cause.sentence))
    return Findings(checks, likely=_misconception(task, record.cause))


def _misconception(task: Exercise, cause: Cause | None) -> Text | None:
    sentences = {one.name: one.sentence for one in task.misconceptions}
    return sentences.get(cause.name) if cause else None


def _checks(task: Exercise, record: VerdictRecord) -> tuple[CheckLine, ...]:
    checks, before = [], None
    for check in task.checks:
        passed, unchanged = check.name not in record.failed, check.name in record.unchanged
        text = record.reasons.get(check.name)
        reason = _cut_text(text) if text and not passed else None
        same = bool(reason) and reason == before
        checks.append(CheckLine(check.sentence, passed, reason, unchanged, same))
        before = before if passed else reason
    return tuple(checks)


def _cut_text(text: Text) -> Text:
    return Text(en=_cut(text.en), zh=_cut(text.zh))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"
