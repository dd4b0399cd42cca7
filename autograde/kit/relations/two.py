"""Two mistakes at once: how the result differs from what the first of them gives alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from autograde.kit.diagnose import TOLERANCES, MistakenCalls
from autograde.kit.exercise import Misconception
from autograde.kit.relations import factor, mask, order, shape
from autograde.kit.relations.change import Change
from autograde.kit.relations.inputs import ChangedTruths, explains, fitting_changes, wrong_first
from autograde.kit.relations.pair import ODD, Pair, Relation, evidence, items, numbers
from autograde.kit.verdict import Cause
from bilingual import Text

TOLERANCE = TOLERANCES[-1]
SURE = 40.0  # bits: with two mistakes there are many more ways to meet a number by chance
ONE = torch.ones((), dtype=torch.float64)
MOST = 200  # results of misconceptions for changed inputs; counted, not timed
SECOND: tuple[Relation, ...] = (
    *shape.FIRST,
    *order.RELATIONS,
    *shape.RELATIONS,
    mask.inverted,
    *factor.NAMED,
)


@dataclass(frozen=True)
class First:
    """One mistake, in words, and what it alone gives for the inputs of a pair."""

    name: str
    words: Text
    result: Callable[[Pair], Any]


def two_mistakes(
    mistaken: MistakenCalls, pairs: Sequence[Pair], truths: ChangedTruths
) -> Cause | None:
    """Return two mistakes that together give every result, None if no two do."""
    wrong = [pair for pair in pairs if not pair.is_right(TOLERANCE)]
    if evidence(wrong) < SURE:
        return None
    # of one or two numbers almost anything is a multiple: look at them last
    ordered = sorted(wrong_first(pairs, TOLERANCE), key=lambda pair: evidence([pair]) < SURE)
    fitting = fitting_changes(mistaken.exercise, ordered)
    changes = [change for change in fitting if not change.rare]
    for first in (*_misconceptions(mistaken), *_changes(truths, changes)):
        if second := _relation(first, ordered):
            return _cause(first.name, first.words, *second)
    return _changed_misconception(mistaken, changes, ordered)


def _cause(first: str, first_words: Text, second: str, second_words: Text) -> Cause:
    return Cause(
        "relation",
        f"{first}_and_{second}",
        Text(
            en="Two things together give your result. "
            f"One: {first_words.en} The other{second_words.en}",
            zh=f"你的结果是两件事叠加而成的。其一：{first_words.zh}其二{second_words.zh}",
        ),
    )


def _misconceptions(mistaken: MistakenCalls) -> Iterator[First]:
    for one in mistaken.exercise.misconceptions:

        def result(pair: Pair, one: Misconception = one) -> Any:
            call = mistaken.of(one, pair.call)
            return None if call.error or call.changed else call.result

        yield First(one.name, one.sentence, result)


def _changes(truths: ChangedTruths, changes: Sequence[Change]) -> Iterator[First]:
    for change in changes:
        yield First(change.name, _computed(change), partial(truths.of, change))


def _computed(change: Change) -> Text:
    return Text(en=f"it is computed {change.words.en}.", zh=f"相当于{change.words.zh}。")


def _relation(first: First, pairs: Sequence[Pair]) -> tuple[str, Text] | None:
    """Return what stands between the results and those of the first mistake alone."""
    if not _akin(pairs[0].got, first.result(pairs[0])):
        return None
    second = _among(first, pairs[:3]) and _among(first, pairs)  # most end with the first few
    if second is None:
        return None
    name, text = second
    return name, Text(
        en=f", with the first taken for right: {text.en}",
        zh=f"（姑且把前一处当成对的）：{text.zh}",
    )


def _among(first: First, pairs: Sequence[Pair]) -> tuple[str, Text] | None:
    beside = [replace(pair, want=first.result(pair)) for pair in pairs]
    if any(pair.want is None for pair in beside) or all(p.is_right(TOLERANCE) for p in beside):
        return None
    for path, of_item in items(beside, TOLERANCE):
        for relate in SECOND if not path else ():
            try:
                text = relate(of_item)
            except ODD:
                continue
            if text:
                return relate.__name__, text
    return None


def _akin(left: Any, right: Any) -> bool:
    """Return whether one look leaves it open that one result is made of the other's numbers."""
    left, right = numbers(left), numbers(right)
    if left is None or right is None or left.numel() != right.numel() or not left.numel():
        return False
    if left.shape == right.shape and _shares(left) and _shares(right):
        return True
    left, right = left.flatten(), right.flatten()
    if _close(left.abs().sort().values, right.abs().sort().values):
        return True
    return _close(left, right * (left @ right) / (right @ right))


def _close(left: Tensor, right: Tensor) -> bool:
    return torch.allclose(left, right, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)


def _shares(values: Tensor) -> bool:
    return values.ndim > 0 and bool((values >= 0).all()) and _close(values.sum(-1), ONE)


def _changed_misconception(
    mistaken: MistakenCalls, changes: Sequence[Change], pairs: Sequence[Pair]
) -> Cause | None:
    misconceptions = [
        one for one in mistaken.exercise.misconceptions if not mistaken.of(one, pairs[0].call).error
    ]
    # another size may undo a mistake: an exponent twice too large, for twice the size, is right
    tried = [change for change in changes if not _of_a_size(change, pairs[0])]
    for change in tried[: MOST // max(len(misconceptions), 1)]:
        for one in misconceptions:
            if all(explains(_result(mistaken, one, change, p), p, TOLERANCE) for p in pairs):
                words = _computed(change)
                second = Text(en=f": {words.en}", zh=f"：{words.zh}")
                return _cause(one.name, one.sentence, change.name, second)
    return None


def _of_a_size(change: Change, pair: Pair) -> bool:
    value = pair.inputs.get(change.name.removeprefix("input_"))
    return isinstance(value, int) and not isinstance(value, bool)


def _result(
    mistaken: MistakenCalls, misconception: Misconception, change: Change, pair: Pair
) -> Any:
    try:
        result = misconception.answer(**_copy(change.change(pair.inputs)))
    except Exception:  # of any kind: changed inputs may be nonsense
        return None
    return mistaken.exercise.part_of(result, *pair.call.args, **pair.call.kwargs)


def _copy(inputs: dict[str, Any]) -> dict[str, Any]:
    return {name: x.clone() if isinstance(x, Tensor) else x for name, x in inputs.items()}
