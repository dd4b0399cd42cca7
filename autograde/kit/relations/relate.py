"""Tries the relations in turn: one that holds in every call that failed explains the failure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch

from autograde.kit.answer import Answer, Call
from autograde.kit.diagnose import TOLERANCES
from autograde.kit.exercise import Exercise
from autograde.kit.relations import mask, order, place, precision, value
from autograde.kit.relations.change import changes
from autograde.kit.relations.condition import condition
from autograde.kit.relations.pair import ENOUGH, Numbers, Pair, Relation, bits, items, pairs_of
from autograde.kit.verdict import Cause
from bilingual import Text

FIRST = (*mask.RELATIONS, *order.RELATIONS, *value.RELATIONS)
LAST = (*order.LAST, *precision.RELATIONS, *value.LAST, *place.RELATIONS)
SECONDS = 1.0  # for the truth on changed inputs, all together; a hundredth of it is usual
ODD = (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError)  # of odd tensors


def relation(exercise: Exercise, failed: Sequence[Call], every: Sequence[Call]) -> Cause | None:
    """Return the relation that holds in all of `failed`, None if there is none that is sure.

    failed: the calls of the checks that failed. every: those of all checks, which tell right
    inputs from wrong ones.
    """
    if exercise.true_answer is None or any(call.error or call.changed for call in failed):
        return None
    pairs = pairs_of(exercise, failed)
    for tolerance in TOLERANCES:
        if all(pair.is_right(tolerance) for pair in pairs):
            return None
        cause = (
            _of_items(pairs, tolerance, FIRST)
            or _of_inputs(exercise, pairs, tolerance)
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
        if all(pair.equal(pair.got, pair.want) for pair in of_item):
            continue
        for relate in relations:
            if text := _tried(relate, of_item):
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


def _of_inputs(exercise: Exercise, pairs: Sequence[Pair], tolerance: float) -> Cause | None:
    failed = [pair for pair in pairs if not pair.is_right(tolerance)]
    if not failed or _evidence(failed) < ENOUGH:
        return None
    # wrong ones before right ones, the least first: most changes end there
    ordered = sorted(failed, key=_size) + [pair for pair in pairs if pair.is_right(tolerance)]
    answer = Answer(exercise.true_answer, SECONDS)
    parameters = dict(inspect.signature(exercise.true_answer).parameters)
    for one in changes(failed[0].inputs, parameters):
        if all(_explains(answer, one.change, pair, tolerance) for pair in ordered):
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
    answer: Answer, change: Callable[[dict[str, Any]], dict[str, Any]], pair: Pair, share: float
) -> bool:
    try:
        inputs = change(pair.inputs)
    except ODD:
        return False
    truth = answer.try_on(**inputs)
    return truth.error is None and pair.equals(truth.result, share)


def _size(pair: Pair) -> int:
    return sum(value.numel() for value in pair.inputs.values() if isinstance(value, torch.Tensor))


def _evidence(failed: Sequence[Pair]) -> float:
    every = [pair for _, of_item in items(failed, TOLERANCES[-1]) for pair in of_item]
    return sum(bits(pair.want) for pair in every)


def _of_conditions(pairs: Sequence[Pair]) -> Cause | None:
    right = [pair.is_right(TOLERANCES[-1]) for pair in pairs]
    text = condition(pairs, right) if pairs else None
    return Cause("relation", "condition", text) if text else None
