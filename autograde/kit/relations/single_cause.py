"""How results came about: the relations that say what was done to numbers or inputs."""

from __future__ import annotations

from collections.abc import Sequence

from autograde.kit.relations import (
    constant,
    factor,
    function,
    mask,
    missing_input,
    nan,
    order,
    permutation,
    precision,
    shape,
    shift,
    uniform,
    weights,
)
from autograde.kit.relations.as_numbers import Numbers, Relation, items
from autograde.kit.relations.inputs import ChangedTruths, of_inputs
from autograde.kit.relations.pair import ODD, Pair
from autograde.kit.verdict import Cause
from bilingual import Text

FIRST = (
    *shape.FIRST,
    *order.RELATIONS,
    *shift.RELATIONS,
    *shape.RELATIONS,
    *nan.RELATIONS,
    *mask.RELATIONS,
    weights.shared_out,
    *function.FIRST,
    *factor.RELATIONS,
    weights.sharpness,
    *constant.RELATIONS,
    *missing_input.RELATIONS,
    *function.RELATIONS,
)
LAST = (*uniform.RELATIONS, *permutation.RELATIONS, *precision.RELATIONS)


def single_cause(pairs: Sequence[Pair], tolerance: float, truths: ChangedTruths) -> Cause | None:
    """Return what explains all the results, None if nothing does."""
    wrong = wrong_items(pairs, tolerance)
    return (
        of_items(wrong, FIRST)
        or of_inputs(truths.exercise, pairs, tolerance, truths)
        or of_items(wrong, LAST)
    )


def wrong_items(pairs: Sequence[Pair], tolerance: float) -> list[tuple[str, list[Numbers]]]:
    """Return the items with a wrong call; in each, wrong and small calls come first."""
    listed = []
    for path, of_item in items(pairs, tolerance):
        ordered = sorted(
            (pair.equal(pair.got, pair.want), pair.want.numel(), index)
            for index, pair in enumerate(of_item)
        )
        if not all(right for right, _, _ in ordered):
            listed.append((path, [of_item[index] for _, _, index in ordered]))
    return listed


def of_items(
    wrong: Sequence[tuple[str, list[Numbers]]], relations: Sequence[Relation]
) -> Cause | None:
    """Return the first of `relations` that holds for an item in every call."""
    for path, pairs in wrong:
        for relate in relations:
            if text := _tried(relate, pairs):
                alike = [
                    other for other, more in wrong if other == path or _tried(relate, more) == text
                ]
                return Cause("relation", relate.__name__, _named_items(alike, text))
    return None


def _tried(relate: Relation, pairs: list[Numbers]) -> Text | None:
    try:
        return relate(pairs)
    except ODD:  # sizes that do not go together: then the relation does not hold
        return None


def _named_items(paths: Sequence[str], text: Text) -> Text:
    if not paths[0]:
        return text
    if len(paths) == 1:
        return Text(
            en=f"Item {paths[0]} of what you return: {text.en}",
            zh=f"返回值中的{paths[0]}这一项：{text.zh}",
        )
    return Text(
        en=f"Items {', '.join(paths)} of what you return, each: {text.en}",
        zh=f"返回值中的{'、'.join(paths)}这几项都一样：{text.zh}",
    )
