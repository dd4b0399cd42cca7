"""Tries the relations in turn: one that holds in every call that failed explains the failure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch

from autograde.kit.answer import Call
from autograde.kit.capture import capture
from autograde.kit.diagnose import TOLERANCES
from autograde.kit.exercise import Exercise
from autograde.kit.relations import (
    factor,
    function,
    mask,
    order,
    place,
    precision,
    shape,
    term,
)
from autograde.kit.relations.change import Change, changes
from autograde.kit.relations.condition import condition
from autograde.kit.relations.pair import (
    ENOUGH,
    ODD,
    NotTaken,
    Numbers,
    Pair,
    Relation,
    bits,
    items,
    pairs_of,
    truth_for,
)
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
LAST = (*order.LAST, *precision.RELATIONS, *function.LAST, *place.RELATIONS)
Truths = dict[tuple[str, int], Any]  # by change and call: the second tolerance needs them again
MOST = 400  # true results for changed inputs; counted, so that a busy machine names no less


def relation(exercise: Exercise, failed: Sequence[Call], every: Sequence[Call]) -> Cause | None:
    """Return the relation that holds in all of `failed`, None if there is none that is sure.

    failed: the calls of the checks that failed. every: those of all checks, which tell right
    inputs from wrong ones.
    """
    if exercise.true_answer is None or any(call.error or call.changed for call in failed):
        return None
    try:
        with capture():
            return call_within(exercise.seconds, _relation, exercise, failed, every)
    except TooSlow:
        return None


def _relation(exercise: Exercise, failed: Sequence[Call], every: Sequence[Call]) -> Cause | None:
    pairs = pairs_of(exercise, failed)
    truths: Truths = {}
    for tolerance in TOLERANCES:
        if all(pair.is_right(tolerance) for pair in pairs):
            return None
        cause = (
            _of_items(pairs, tolerance, FIRST)
            or _of_inputs(exercise, pairs, tolerance, truths)
            or _of_items(pairs, tolerance, LAST)
        )
        if cause:
            return cause
    calls = [call for call in every if not call.error and not call.changed]
    return _of_conditions(pairs_of(exercise, calls))


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


def _tried(relate: Callable[[Sequence[Numbers]], Text | None], pairs: list[Numbers]) -> Text | None:
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


def _of_inputs(
    exercise: Exercise, pairs: Sequence[Pair], tolerance: float, truths: Truths
) -> Cause | None:
    failed = [pair for pair in pairs if not pair.is_right(tolerance)]
    if not failed or _evidence(failed) < ENOUGH:
        return None
    # wrong ones before right ones, the least first: most changes end there
    ordered = sorted(failed, key=_size) + [pair for pair in pairs if pair.is_right(tolerance)]
    parameters = dict(inspect.signature(exercise.true_answer).parameters)
    for one in changes([pair.inputs for pair in ordered], parameters):
        if len(truths) > MOST:
            return None
        if all(_explains(exercise, one, pair, tolerance, truths) for pair in ordered):
            return Cause(
                "relation",
                one.name,
                Text(
                    en=f"Your result equals the right one {one.words.en}.",
                    zh=f"你的结果等于{one.words.zh}时的正确结果。",
                ),
            )
    return None


def _explains(
    exercise: Exercise, change: Change, pair: Pair, tolerance: float, truths: Truths
) -> bool:
    key = (change.words.en, id(pair))
    if key not in truths:
        truths[key] = _changed_truth(exercise, change, pair)
    return truths[key] is not None and pair.equals(truths[key], tolerance)


def _changed_truth(exercise: Exercise, change: Change, pair: Pair) -> Any:
    try:
        return truth_for(exercise, change.change(pair.inputs))
    except (*ODD, NotTaken):
        return None


def _size(pair: Pair) -> int:
    return sum(value.numel() for value in pair.inputs.values() if isinstance(value, torch.Tensor))


def _evidence(failed: Sequence[Pair]) -> float:
    every = [pair for _, of_item in items(failed, TOLERANCES[-1]) for pair in of_item]
    return sum(bits(pair.want) for pair in every)


def _of_conditions(pairs: Sequence[Pair]) -> Cause | None:
    right = [pair.is_right(TOLERANCES[-1]) for pair in pairs]
    text = condition(pairs, right) if pairs else None
    return Cause("relation", "condition", text) if text else None
