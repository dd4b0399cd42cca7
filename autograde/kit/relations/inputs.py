"""The right results for other inputs: what was done to the input explains the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from autograde.kit.answer import size_of_inputs
from autograde.kit.exercise import Exercise
from autograde.kit.relations.change import Change
from autograde.kit.relations.evidence import ENOUGH, is_evidence
from autograde.kit.relations.fitting import fitting_changes
from autograde.kit.relations.pair import ODD, NotTaken, Pair, truth_for
from autograde.kit.verdict import Cause
from bilingual import Text

MOST = 150  # true results for changed inputs; counted, not timed: a busy machine finds no less


@dataclass
class ChangedTruths:
    """The right results for changed inputs, by change and call: each is computed once."""

    exercise: Exercise
    results: dict[tuple[str, int], Any] = field(default_factory=dict)

    def of(self, change: Change, pair: Pair) -> Any:
        """Return the right result for the changed inputs of `pair`, None if there is none."""
        key = change.words.en, id(pair.call)
        if key not in self.results:
            self.results[key] = self._result(change, pair)
        return self.results[key]

    @property
    def enough(self) -> bool:
        """Return whether so many results are enough."""
        return len(self.results) > MOST

    def _result(self, change: Change, pair: Pair) -> Any:
        try:
            truth = truth_for(self.exercise, change.change(pair.inputs))
        except (*ODD, NotTaken):
            return None
        return self.exercise.part_of(truth, *pair.call.args, **pair.call.kwargs)


def wrong_and_right(pairs: Sequence[Pair], tolerance: float) -> tuple[list[Pair], list[Pair]]:
    """Return the wrong pairs, smallest first as these settle most, and the right ones."""
    wrong, right = [], []
    for pair in pairs:
        (right if pair.is_right(tolerance) else wrong).append(pair)
    return sorted(wrong, key=lambda pair: size_of_inputs(pair.call)), right


def of_inputs(
    exercise: Exercise, pairs: Sequence[Pair], tolerance: float, truths: ChangedTruths
) -> Cause | None:
    """Return the change of the inputs for which every result is right, None if there is none."""
    wrong, right = wrong_and_right(pairs, tolerance)
    if not is_evidence(wrong, ENOUGH):
        return None
    ordered = wrong + right
    for change in fitting_changes(exercise, ordered):
        if truths.enough:
            return None
        if all(explains(truths.of(change, pair), pair, tolerance) for pair in ordered):
            return Cause(
                "relation",
                change.name,
                Text(
                    en=f"Your result equals the right one {change.words.en}.",
                    zh=f"你的结果等于{change.words.zh}时的正确结果。",
                ),
            )
    return None


def explains(result: Any, pair: Pair, tolerance: float) -> bool:
    """Return whether the learner's result equals `result`."""
    return result is not None and pair.equals(result, tolerance)
