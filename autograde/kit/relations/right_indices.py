"""Results that are right at some indices of an axis and wrong at the others."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation, axis_words, numbers
from autograde.kit.relations.evidence import ENOUGH, bits, wrong
from bilingual import Text


def in_places(pairs: Sequence[Numbers]) -> Text | None:
    """Name the right indices of one axis, if they follow one pattern in every call."""
    failed = wrong(pairs)
    if not failed or any(pair.got.shape != pair.want.shape for pair in pairs):
        return None
    alikes = [pair.alike(pair.got, pair.want) for pair in failed]
    for from_start in (True, False):  # axis 0 of a batch and of its heads, then from the end
        for axis in range(min(pair.want.ndim for pair in failed)):
            real = axis if from_start else -1 - axis
            if text := _along(failed, alikes, real):
                return text
    return None


def _along(failed: Sequence[Numbers], alikes: Sequence[Tensor], axis: int) -> Text | None:
    rights = [_right(alike, axis) for alike in alikes]
    if any(len(right) < 2 or not right.any() for right in rights):
        return None
    words = _which(rights)
    if words is None:
        return None
    if sum(bits(pair.got[~alike]) for pair, alike in zip(failed, alikes, strict=True)) < ENOUGH:
        return None
    if sum(_earned(pair, axis, right) for pair, right in zip(failed, rights, strict=True)) < ENOUGH:
        return None  # such as row 0, which any answer gets right
    return _sentence(failed, axis, words)


def _which(rights: Sequence[Tensor]) -> Text | None:
    """Return the words for the right indices, None unless they follow one pattern in every call."""
    for least, en, zh, kind in KINDS:
        if min(map(len, rights)) >= least and all(
            torch.equal(right, kind(len(right))) for right in rights
        ):
            return Text(en=en, zh=zh)
    starts = {int(right.sum()) for right in rights}
    if len(starts) == 1 and len(rights) + max(map(len, rights)) > 4:
        (count,) = starts
        if all(bool(right[:count].all()) for right in rights):
            return Text(en=f"before index {count}", zh=f"在第{count}位之前")
    return None


def _sentence(failed: Sequence[Numbers], axis: int, right: Text) -> Text:
    shape = tuple(failed[-1].want.shape)
    words = axis_words(axis)
    if len(shape) == 1:
        return Text(
            en=f"Your result is right {right.en}, and wrong everywhere else.",
            zh=f"你的结果{right.zh}对，其余各处都错。",
        )
    return Text(
        en=f"Your result is right {right.en} along {words.en} of {shape}; every remaining "
        "index has at least one wrong value.",
        zh=f"沿{words.zh}（形状{shape}），你的结果{right.zh}对，其余每一位都有错。",
    )


def _right(alike: Tensor, axis: int) -> Tensor:
    """Return for each index of the axis whether all its numbers are right."""
    alike = alike.movedim(axis, 0)
    return alike.flatten(1).all(1) if alike.ndim > 1 else alike


def _earned(pair: Numbers, axis: int, right: Tensor) -> float:
    """Return the evidence at the right indices, 0 if they repeat an input."""
    indices = right.nonzero().flatten()
    want = pair.want.index_select(axis, indices)
    for argument in pair.inputs.values():
        value = numbers(argument)
        same_shape = value is not None and value.shape == pair.want.shape
        if same_shape and pair.equal(want, value.index_select(axis, indices)):
            return 0.0
    return bits(want)


def _first(size: int) -> Tensor:
    return torch.arange(size) == 0


def _last(size: int) -> Tensor:
    return torch.arange(size) == size - 1


def _even(size: int) -> Tensor:
    return torch.arange(size) % 2 == 0


def _early(size: int) -> Tensor:
    return torch.arange(size) < size // 2


KINDS = (  # least number of indices, the words, the right indices
    (2, "only at index 0", "只有第0位", _first),
    (2, "only at the last index", "只有最后一位", _last),
    (3, "from index 1 on", "从第1位起", lambda size: ~_first(size)),
    (3, "up to the last but one", "到倒数第二位为止", lambda size: ~_last(size)),
    (4, "at the even indices", "在偶数下标处", _even),
    (4, "at the odd indices", "在奇数下标处", lambda size: ~_even(size)),
    (4, "in the first half", "在前一半", _early),
    (4, "in the second half", "在后一半", lambda size: ~_early(size)),
)

RELATIONS: tuple[Relation, ...] = (in_places,)
