"""A verdict as data: check cells keep it, and tables and pages read it back.

It is in the metadata of the display that shows the report: no front end shows metadata, and nbval
does not compare them. A submission can forge outputs: data that does not have the form of
`to_json` is not a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, get_args

from autograde.kit.cell_role import KEY
from autograde.kit.verdict import Cause, CauseKind, Verdict
from bilingual import Text

Cell = Mapping[str, Any]


@dataclass(frozen=True)
class VerdictRecord:
    """What is kept of a verdict.

    failed: the names of the checks that failed. reason: the sentence of the cause, else of the
    first failed check. reasons: by failed check. unchanged: the names of the checks that the code
    to be mended passes. error: the name of the first error in a failed check, if any. seed, tier:
    of the inputs and the confinement, if a grader wrote the record.
    """

    exercise: str
    unsolved: bool = False
    failed: tuple[str, ...] = ()
    cause: Cause | None = None
    reason: Text | None = None
    reasons: Mapping[str, Text] = field(default_factory=dict)
    unchanged: tuple[str, ...] = ()
    error: str | None = None
    seed: int | None = None
    tier: int | None = None

    @classmethod
    def of(
        cls, verdict: Verdict, *, seed: int | None = None, tier: int | None = None
    ) -> VerdictRecord:
        """Return the record of a verdict."""
        cause = verdict.cause
        reasons = {one.check.name: one.reason for one in verdict.outcomes if one.reason}
        return cls(
            exercise=verdict.exercise.id,
            unsolved=verdict.unsolved,
            failed=tuple(reasons),
            cause=cause,
            reason=cause.sentence if cause else next(iter(reasons.values()), None),
            reasons=reasons,
            unchanged=tuple(one.check.name for one in verdict.outcomes if one.passes_unchanged),
            error=_error(verdict),
            seed=seed,
            tier=tier,
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values; the last five fields are left out if empty."""
        reasons = {name: asdict(reason) for name, reason in self.reasons.items()}
        optional = {
            "reasons": reasons or None,
            "unchanged": list(self.unchanged) or None,
            "error": self.error,
            "seed": self.seed,
            "tier": self.tier,
        }
        return {
            "exercise": self.exercise,
            "unsolved": self.unsolved,
            "failed": list(self.failed),
            "cause": {"kind": self.cause.kind, "name": self.cause.name} if self.cause else None,
            "reason": asdict(self.reason) if self.reason else None,
            **{name: value for name, value in optional.items() if value is not None},
        }

    @classmethod
    def from_json(cls, value: Any) -> VerdictRecord | None:
        """Return the record that `value` holds; None if it does not have the form of `to_json`."""
        match value:
            case {
                "exercise": str(exercise),
                "unsolved": bool(unsolved),
                "failed": [*failed],
                "cause": None | dict() as cause,
                "reason": None | dict() as reason,
            } if all(isinstance(name, str) for name in failed):
                sentence = _text(reason)
                explained = _cause(cause, sentence)
                if (reason is None) is not (sentence is None) or (cause is None) is not (
                    explained is None
                ):
                    return None
                return cls(
                    exercise=exercise,
                    unsolved=unsolved,
                    failed=tuple(failed),
                    cause=explained,
                    reason=sentence,
                    reasons=_reasons(value.get("reasons")),
                    unchanged=_names(value.get("unchanged")),
                    error=_name(value.get("error")),
                    seed=_integer(value.get("seed")),
                    tier=_integer(value.get("tier")),
                )
        return None


def verdict_of_cell(cell: Cell) -> VerdictRecord | None:
    """Return the verdict in the outputs of a check cell; None if there is not one."""
    displays = (out for out in cell.get("outputs", []) if out["output_type"] == "display_data")
    values = (out["metadata"][KEY] for out in displays if KEY in out["metadata"])
    return VerdictRecord.from_json(next(values, None))


def _error(verdict: Verdict) -> str | None:
    failed = (outcome for outcome in verdict.outcomes if outcome.reason)
    errors = (call.error for outcome in failed for call in outcome.calls if call.error is not None)
    # from its repr, which is the same if the error comes from a worker
    return next((_name(repr(error).partition("(")[0]) for error in errors), None)


def _name(value: Any) -> str | None:
    return value if isinstance(value, str) and value.isidentifier() else None


def _text(value: Any) -> Text | None:
    match value:
        case {"en": str(en), "zh": str(zh), **others} if en.strip() and zh.strip() and not others:
            return Text(en=en, zh=zh)
    return None


def _cause(value: Any, sentence: Text | None) -> Cause | None:
    match value:
        case {"kind": str(kind), "name": str(name)} if sentence and kind in get_args(CauseKind):
            return Cause(kind, name, sentence)
    return None


def _reasons(value: Any) -> dict[str, Text]:
    texts = {name: _text(text) for name, text in value.items()} if isinstance(value, dict) else {}
    return {name: text for name, text in texts.items() if isinstance(name, str) and text}


def _names(value: Any) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()


def _integer(value: Any) -> int | None:
    return value if type(value) is int else None
