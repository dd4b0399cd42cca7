"""What a check cell says of an answer: each check, why it failed, the misconception.

The sentences of checks and misconceptions are the course's own, found by name; only reasons are
read from the notebook. They quote what the answer returned or raised, so they are shown as text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograde.grading.diagnosis import Cell, Diagnosis, diagnose_cells
from autograde.kit.catalogue import UnknownName, exercise
from autograde.kit.exercise import Exercise
from autograde.kit.verdict_output import KEY
from bilingual import Text

LONGEST = 1_000  # characters of a reason


@dataclass(frozen=True)
class Checked:
    """One check: its sentence, whether it passed, and why it did not."""

    sentence: Text
    passed: bool
    reason: Text | None = None
    same: bool = False  # the reason is that of the failed check before


@dataclass(frozen=True)
class Findings:
    """What is known of an answer; without `checks`, and not `unsolved`, no check ran."""

    checks: tuple[Checked, ...] = ()
    unsolved: bool = False
    likely: Text | None = None


def asked_exercise(name: str) -> Exercise | None:
    """Return the course's exercise of that name; None if a teacher added one of their own."""
    try:
        return exercise(name)
    except UnknownName:
        return None


def findings(asked: Exercise, check: Cell) -> Findings:
    """Return what the check cell of an exercise says."""
    kept = _kept(check)
    found = diagnose_cells(check, None)
    match kept, found:
        case {"unsolved": False, "failed": []}, None:
            return Findings(_checks(asked, (), {}))
        case dict(), Diagnosis():
            return _wrong(asked, found, kept.get("reasons"))
    return Findings()


def _wrong(asked: Exercise, found: Diagnosis, reasons: Any) -> Findings:
    match found.kind:
        case "unsolved":
            return Findings(unsolved=True)
        case "misconception" | "checks":
            known = {one.name: one.sentence for one in asked.misconceptions}
            checks = _checks(asked, found.failed, reasons)
            return Findings(checks, likely=known.get(found.name))
    return Findings()


def _kept(check: Cell) -> Any:
    shown = [one for one in check.get("outputs", []) if one["output_type"] == "display_data"]
    return next((one["metadata"][KEY] for one in shown if KEY in one["metadata"]), None)


def _checks(asked: Exercise, failed: tuple[str, ...], reasons: Any) -> tuple[Checked, ...]:
    said = reasons if isinstance(reasons, dict) else {}
    checks, before = [], None
    for check in asked.checks:
        if check.name not in failed:
            checks.append(Checked(check.sentence, True))
            continue
        reason = _text(said.get(check.name))
        checks.append(Checked(check.sentence, False, reason, bool(reason) and reason == before))
        before = reason
    return tuple(checks)


def _text(said: Any) -> Text | None:
    match said:
        case {"en": str(en), "zh": str(zh)} if en.strip() and zh.strip():
            return Text(en=_cut(en), zh=_cut(zh))
    return None


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}…"
