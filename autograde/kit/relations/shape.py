"""The right numbers in another shape, or a part of them."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation, axis_words
from autograde.kit.relations.evidence import holds
from bilingual import Text


def _shapes(pairs: Sequence[Numbers]) -> Text:
    pair = next(one for one in pairs if one.got.shape != one.want.shape)
    mine, right = tuple(pair.got.shape), tuple(pair.want.shape)
    return Text(en=f"yours {mine}, expected {right}", zh=f"你的是{mine}，应为{right}")


def squeezed(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth, ignoring axes of size 1."""
    if all(pair.got.ndim == pair.want.ndim for pair in pairs):
        return None
    for pair in pairs:
        if not pair.equal(pair.got.squeeze(), pair.want.squeeze()):
            return None
    shapes = _shapes(pairs)
    lost = any(pair.got.ndim < pair.want.ndim for pair in pairs)
    return Text(
        en=f"The numbers are right; an axis of size 1 is {'lost' if lost else 'too many'}: "
        f"shape {shapes.en}. `squeeze`, an index such as `x[0]` or a reduction without "
        "`keepdim=True` takes one away; `unsqueeze` or `[None]` adds one.",
        zh=f"数都对，只是{'少' if lost else '多'}了大小为1的一维：形状{shapes.zh}。"
        "`squeeze`、`x[0]`这样的下标、不写`keepdim=True`的归约会去掉一维；`unsqueeze`或`[None]`会加上一维。",
    )


def reshaped(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth in another shape, its numbers in their order."""

    def image(pair: Numbers) -> Tensor | None:
        fits = pair.got.numel() == pair.want.numel()
        return pair.want.reshape(pair.got.shape) if fits else None

    if all(pair.got.shape == pair.want.shape for pair in pairs) or not holds(pairs, image):
        return None
    shapes = _shapes(pairs)
    return Text(
        en=f"The numbers are right and in order; only the shape differs: {shapes.en}.",
        zh=f"数和次序都对，只有形状不对：{shapes.zh}。",
    )


def cut(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the beginning or the end of the truth along one axis."""
    for axis in range(-1, -min(pair.want.ndim for pair in pairs) - 1, -1):
        for first in (False, True):

            def image(pair: Numbers, axis: int = axis, first: bool = first) -> Tensor | None:
                if pair.got.ndim != pair.want.ndim:
                    return None
                size, whole = pair.got.shape[axis], pair.want.shape[axis]
                if not 0 < size <= whole:
                    return None
                return pair.want.narrow(axis, 0 if first else whole - size, size)

            lost = all(pair.got.shape != pair.want.shape for pair in pairs)
            if lost and holds(pairs, image):
                shapes, along = _shapes(pairs), axis_words(axis)
                return Text(
                    en=f"Your result is the {'beginning' if first else 'end'} of the right one "
                    f"along {along.en}; the rest is missing: shape {shapes.en}.",
                    zh=f"你的结果只是正确结果沿{along.zh}的{'前' if first else '后'}一部分，"
                    f"其余缺了：形状{shapes.zh}。",
                )
    return None


FIRST: tuple[Relation, ...] = (squeezed,)
RELATIONS: tuple[Relation, ...] = (reshaped, cut)
