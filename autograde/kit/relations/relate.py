"""Tries the relations in turn: one that holds in every call that failed explains the failure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from autograde.kit.answer import Call
from autograde.kit.capture import capture
from autograde.kit.diagnose import TOLERANCES, MistakenCalls
from autograde.kit.relations import factor, function, mask, order, place, precision, shape, term
from autograde.kit.relations.condition import condition
from autograde.kit.relations.inputs import ChangedTruths, of_inputs
from autograde.kit.relations.pair import ODD, Numbers, Pair, Relation, items, pairs_of
from autograde.kit.relations.two import two_mistakes
from autograde.kit.verdict import Cause
from bilingual import Text
from confined.deadline import TooSlow, call_within

FIRST = (
    *shape.FIRST,
    *order.RELATIONS,
    *shape.RELATIONS,
    *mask.RELATIONS,
    *function.FIRST,
    *factor.RELATIONS,
    *term.RELATIONS,
    *function.RELATIONS,
)
LAST = (*order.LAST, *precision.RELATIONS)
# these say where a result is right, and not how it came about
WHERE = (*function.LAST, *mask.LAST, *place.RELATIONS)
USUAL = 2  # misconceptions of which the same is true: then it is true of wrong answers as such


def relation(
    mistaken: MistakenCalls, failed: Sequence[Call], every: Sequence[Call]
) -> Cause | None:
    """Return the relation that holds in all of `failed`, None if there is none that is sure.

    failed: the calls of the checks that failed. every: those of all checks, which tell right
    inputs from wrong ones.
    """
    exercise = mistaken.exercise
    if exercise.true_answer is None or any(call.error or call.changed for call in failed):
        return None
    try:
        with capture():
            return call_within(exercise.seconds, _relation, mistaken, failed, every)
    except TooSlow:
        return None


def _relation(
    mistaken: MistakenCalls, failed: Sequence[Call], every: Sequence[Call]
) -> Cause | None:
    exercise = mistaken.exercise
    pairs = pairs_of(exercise, failed)
    truths = ChangedTruths(exercise)
    for tolerance in TOLERANCES:
        if all(pair.is_right(tolerance) for pair in pairs):
            return None
        cause = (
            _of_items(pairs, tolerance, FIRST)
            or of_inputs(exercise, pairs, tolerance, truths)
            or _of_items(pairs, tolerance, LAST)
        )
        if cause:
            return cause
    calls = [call for call in every if not call.error and not call.changed]
    return (
        two_mistakes(mistaken, pairs, truths)
        or _of_places(pairs, mistaken)
        or _of_conditions(pairs_of(exercise, calls), mistaken)
    )


def _of_items(
    pairs: Sequence[Pair], tolerance: float, relations: Sequence[Relation]
) -> Cause | None:
    for path, of_item in items(pairs, tolerance):
        ordered = sorted(of_item, key=lambda pair: pair.equal(pair.got, pair.want))
        if ordered[0].equal(ordered[0].got, ordered[0].want):
            continue
        for relate in relations:  # wrong calls first: most relations end there
            if text := _tried(relate, ordered):
                return Cause("relation", relate.__name__, _of_item(path, text))
    return None


def _tried(relate: Relation, pairs: list[Numbers]) -> Text | None:
    try:
        return relate(pairs)
    except ODD:  # sizes that do not go together: then the relation does not hold
        return None


def _of_item(path: str, text: Text) -> Text:
    if not path:
        return text
    return Text(
        en=f"Of what you return, item {path}: {text.en}", zh=f"返回值中的{path}这一项：{text.zh}"
    )


def _of_places(pairs: Sequence[Pair], mistaken: MistakenCalls) -> Cause | None:
    for tolerance in TOLERANCES:
        for relate in WHERE:
            cause = _of_items(pairs, tolerance, (relate,))
            if cause and not _usual(
                cause.sentence,
                (_of_items(others, tolerance, (relate,)) for others in _mistaken(pairs, mistaken)),
            ):
                return cause
    return None


def _of_conditions(pairs: Sequence[Pair], mistaken: MistakenCalls) -> Cause | None:
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
