"""Where results are right: in which places, in which calls. Not how they came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from autograde.kit.diagnose import TOLERANCES, MistakenCalls
from autograde.kit.relations import function, mask, right_indices
from autograde.kit.relations.condition import condition
from autograde.kit.relations.pair import Pair
from autograde.kit.relations.single_cause import of_items, wrong_items
from autograde.kit.verdict import Cause
from bilingual import Text

WHERE = (*function.LAST, *mask.LAST, *right_indices.RELATIONS)
USUAL = 2  # if so many misconceptions share a sentence, it is true of wrong answers as such


def in_which_places(pairs: Sequence[Pair], mistaken: MistakenCalls) -> Cause | None:
    """Return what is true of the right places of all results, None if nothing is sure."""
    for tolerance in TOLERANCES:
        wrong = wrong_items(pairs, tolerance)
        for relate in WHERE:
            cause = of_items(wrong, (relate,))
            if cause and not _usual(
                cause.sentence,
                (
                    of_items(wrong_items(others, tolerance), (relate,))
                    for others in _mistaken(pairs, mistaken)
                ),
            ):
                return cause
    return None


def in_which_calls(pairs: Sequence[Pair], mistaken: MistakenCalls) -> Cause | None:
    """Return what is true of the inputs of all right calls, None if nothing is sure."""
    cause = _condition(pairs)
    if cause and not _usual(cause.sentence, map(_condition, _mistaken(pairs, mistaken))):
        return cause
    return None


def _condition(pairs: Sequence[Pair]) -> Cause | None:
    right = [pair.is_right(TOLERANCES[-1]) for pair in pairs]
    text = condition(pairs, right) if pairs else None
    return Cause("relation", "condition", text) if text else None


def _mistaken(pairs: Sequence[Pair], mistaken: MistakenCalls) -> Iterator[list[Pair]]:
    """Yield for each misconception the same calls, with its results in place of the learner's."""
    for misconception in mistaken.exercise.misconceptions:
        calls = [mistaken.of(misconception, pair.call) for pair in pairs]
        if not any(call.error for call in calls):
            yield [replace(p, got=c.result) for p, c in zip(pairs, calls, strict=True)]


def _usual(sentence: Text, causes: Iterator[Cause | None]) -> bool:
    count = 0
    for cause in causes:
        count += bool(cause) and cause.sentence == sentence
        if count == USUAL:
            return True
    return False
