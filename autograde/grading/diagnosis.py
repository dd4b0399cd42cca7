"""What the outputs of a graded exercise say was wrong: a verdict of the kit, or an error.

Outputs come out of a submission, which can make them up: their words are not to be trusted, and
what is not formed as the kit forms it is no verdict.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, replace
from typing import Any, Literal

from autograde.kit.verdict_output import KEY
from bilingual import Text

Cell = dict[str, Any]
Kind = Literal["unsolved", "misconception", "checks", "error", "missing"]
UNSOLVED = "unsolved"
NO_CELL = "missing cell"
OTHER_ERROR = "Exception"
JUDGE_ERRORS = {"TooSlow", "ProcessEnded", "NotRun"}


@dataclass(frozen=True)
class Diagnosis:
    """What was wrong: of which kind, a short name and a sentence; the names of failed checks.

    The name is that of a misconception, `UNSOLVED`, `NO_CELL`, those of the failed checks, or that
    of an error.
    """

    kind: Kind
    name: str
    sentence: Text | None = None
    failed: tuple[str, ...] = ()

    def blind(self) -> Diagnosis:
        """Return it without words that a submission wrote: they can say who wrote them."""
        known = hasattr(builtins, self.name) or self.name in JUDGE_ERRORS
        hidden = self.kind == "error" and not known
        return replace(self, name=OTHER_ERROR if hidden else self.name, sentence=None)


def diagnose_cells(check: Cell | None, answer: Cell | None) -> Diagnosis | None:
    """Return what was wrong with an exercise, given its two cells; None if nothing was."""
    if check is None:
        return Diagnosis("missing", NO_CELL)
    found, stopped = _verdict(check), _error(answer)
    if found and found.kind == "checks" and stopped:
        return replace(stopped, failed=found.failed)  # the cell never came to its function
    return found or stopped or _error(check)


def _verdict(check: Cell) -> Diagnosis | None:
    """Return what `verdict_output.show` left in a check cell, None if all was right."""
    displays = [output for output in _outputs(check) if output["output_type"] == "display_data"]
    kept = next((shown["metadata"][KEY] for shown in displays if KEY in shown["metadata"]), None)
    if not _is_payload(kept):
        return None
    failed = tuple(kept["failed"])
    sentence = Text(**kept["reason"]) if kept["reason"] else None
    if kept["unsolved"]:
        return Diagnosis("unsolved", UNSOLVED, sentence, failed)
    if kept["misconception"]:
        return Diagnosis("misconception", kept["misconception"], sentence, failed)
    return Diagnosis("checks", ", ".join(failed), sentence, failed) if failed else None


def _is_payload(kept: Any) -> bool:
    """Return whether this is a verdict as `verdict_output.payload` writes it, not a made-up one."""
    if not isinstance(kept, dict):
        return False
    failed, named, reason = (kept.get(key) for key in ("failed", "misconception", "reason"))
    return (
        isinstance(kept.get("unsolved"), bool)
        and isinstance(failed, list)
        and all(isinstance(name, str) for name in failed)
        and (named is None or isinstance(named, str))
        and (reason is None or _is_text(reason))
    )


def _is_text(reason: Any) -> bool:
    return (
        isinstance(reason, dict)
        and reason.keys() == {"en", "zh"}
        and all(isinstance(said, str) and said.strip() for said in reason.values())
    )


def _error(cell: Cell | None) -> Diagnosis | None:
    """Return the last error that running a cell gave, None if there was none."""
    errors = [output for output in _outputs(cell) if output["output_type"] == "error"]
    if not errors:
        return None
    name, message = errors[-1]["ename"], errors[-1]["evalue"]
    said = f"{name}: {message}".rstrip(": ") or "?"
    return Diagnosis("error", name, Text(en=said, zh=said))


def _outputs(cell: Cell | None) -> list[dict[str, Any]]:
    return cell.get("outputs", []) if cell else []  # Markdown, graded by hand, has none
