"""Two mistakes at once: how the result differs from what the first of them gives alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from autograde.kit.diagnose import TOLERANCES, MistakenCalls
from autograde.kit.exercise import Misconception
from autograde.kit.relations import factor, mask, order, shape, shift, weights
from autograde.kit.relations.as_numbers import Relation, items
from autograde.kit.relations.change import Change
from autograde.kit.relations.combined_cause import combined_cause, computed
from autograde.kit.relations.dtype import in_another_dtype, right_but_for_dtype
from autograde.kit.relations.evidence import ENOUGH, is_evidence
from autograde.kit.relations.fitting import fitting_changes
from autograde.kit.relations.inputs import ChangedTruths, wrong_and_right
from autograde.kit.relations.misconception_with_change import misconception_with_change
from autograde.kit.relations.pair import ODD, Pair
from autograde.kit.relations.quick_filter import may_relate
from autograde.kit.verdict import Cause
from bilingual import Text

TOLERANCE = TOLERANCES[-1]
SURE = 40.0  # bits: with two mistakes there are many more ways to meet a number by chance
FEW = 3  # pairs: most candidates end there
SHAPE: tuple[Relation, ...] = (*shape.FIRST, *shape.RELATIONS)
SECOND: tuple[Relation, ...] = (
    *shape.FIRST,
    *order.RELATIONS,
    *shift.RELATIONS,
    *shape.RELATIONS,
    mask.inverted,
    factor.named_factor,
    weights.sharpness,
)


@dataclass(frozen=True)
class First:
    """One mistake, its words, and the result that it alone gives for the inputs of a pair."""

    name: str
    words: Text
    result: Callable[[Pair], Any]


def two_mistakes(
    mistaken: MistakenCalls, pairs: Sequence[Pair], truths: ChangedTruths
) -> Cause | None:
    """Return two mistakes that together give every result, None if no two do."""
    wrong, right = wrong_and_right(pairs, TOLERANCE)
    ordered = _telling_first(wrong + right)
    for first in _misconceptions(mistaken) if is_evidence(wrong, ENOUGH) else ():
        if dtype := _dtype(first, ordered):  # nothing is left to chance: its very numbers
            return combined_cause(first.name, first.words, *dtype)
    if not is_evidence(wrong, SURE):
        return None
    fitting = fitting_changes(mistaken.exercise, ordered)
    changes = [change for change in fitting if not change.rare]
    for first in (*_misconceptions(mistaken), *_changes(truths, changes)):
        if second := _dtype(first, ordered) or _relation(first, ordered):
            return combined_cause(first.name, first.words, *second)
    return misconception_with_change(mistaken, changes, ordered, truths)


def _telling_first(pairs: list[Pair]) -> list[Pair]:
    # one or two numbers are a multiple of almost anything
    index = next((n for n, pair in enumerate(pairs) if is_evidence([pair], SURE)), 0)
    return [pairs[index], *pairs[:index], *pairs[index + 1 :]]


def _misconceptions(mistaken: MistakenCalls) -> Iterator[First]:
    for misconception in mistaken.exercise.misconceptions:

        def result(pair: Pair, misconception: Misconception = misconception) -> Any:
            call = mistaken.of(misconception, pair.call)
            return None if call.error or call.changed else call.result

        yield First(misconception.name, misconception.sentence, result)


def _changes(truths: ChangedTruths, changes: Sequence[Change]) -> Iterator[First]:
    for change in changes:
        yield First(change.name, computed(change), partial(truths.of, change))


def _dtype(first: First, pairs: Sequence[Pair]) -> tuple[str, Text] | None:
    """Return a wrong dtype as the second mistake, None if more differs."""
    few = pairs[:FEW]
    if not all(map(right_but_for_dtype, _beside(first, few))):
        return None
    cause = in_another_dtype([*_beside(first, pairs)])
    return (cause.name, _after_the_first(cause.sentence)) if cause else None


def _relation(first: First, pairs: Sequence[Pair]) -> tuple[str, Text] | None:
    """Return the second mistake: how results differ from results of the first mistake alone."""
    few = pairs[:FEW]
    if not all(may_relate(pair.got, first.result(pair)) for pair in few):
        return None
    second = _among(first, few) and _among(first, pairs)
    if second is None:
        return None
    name, text = second
    return name, _after_the_first(text)


def _after_the_first(text: Text) -> Text:
    return Text(
        en=f", assuming the first were correct: {text.en}",
        zh=f"（姑且把前一处当成对的）：{text.zh}",
    )


def _beside(first: First, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the pairs with the first mistake's result as the right one, computed lazily."""
    return (replace(pair, want=first.result(pair)) for pair in pairs)


def _among(first: First, pairs: Sequence[Pair]) -> tuple[str, Text] | None:
    beside = [*_beside(first, pairs)]
    if any(pair.want is None for pair in beside) or all(p.is_right(TOLERANCE) for p in beside):
        return None
    # if the shape is right, the second mistake is not in the shape
    seconds = [relate for relate in SECOND if relate not in SHAPE or not _right_shape(pairs)]
    for path, of_item in items(beside, TOLERANCE):
        for relate in seconds if not path else ():
            try:
                text = relate(of_item)
            except ODD:
                continue
            if text:
                return relate.__name__, text
    return None


def _right_shape(pairs: Sequence[Pair]) -> bool:
    return all(
        getattr(pair.got, "shape", None) == getattr(pair.want, "shape", None) for pair in pairs
    )
