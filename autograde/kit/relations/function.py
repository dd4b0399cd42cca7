"""Results that are a function of the right ones, or the reverse."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation, axis_words
from autograde.kit.relations.evidence import ENOUGH, bits, holds
from bilingual import Text

Named = tuple[Text, Callable[[Tensor], Tensor]]

PLAIN: tuple[Named, ...] = (
    (Text(en="the absolute value of {x}", zh="{x}的绝对值"), torch.abs),
    (Text(en="minus the absolute value of {x}", zh="{x}绝对值的相反数"), lambda x: -x.abs()),
    (Text(en="the square of {x}", zh="{x}的平方"), torch.square),
    (Text(en="the square root of {x}", zh="{x}的平方根"), torch.sqrt),
    (Text(en="the reciprocal of {x}", zh="{x}的倒数"), torch.reciprocal),
    (Text(en="2π divided by {x}", zh="2π除以{x}"), lambda x: math.tau / x),
    (Text(en="1 minus {x}", zh="1减去{x}"), lambda x: 1 - x),
    (Text(en="exp of {x}", zh="对{x}取exp"), torch.exp),
    (Text(en="the natural logarithm of {x}", zh="{x}的自然对数"), torch.log),
    (Text(en="the cosine of {x}", zh="{x}的余弦"), torch.cos),
    (Text(en="the sine of {x}", zh="{x}的正弦"), torch.sin),
    (Text(en="the whole part of {x}", zh="{x}的整数部分"), torch.trunc),
    (Text(en="{x}, rounded down", zh="{x}向下取整"), torch.floor),
    (Text(en="{x}, rounded up", zh="{x}向上取整"), torch.ceil),
    (Text(en="{x}, rounded to whole numbers", zh="{x}四舍五入到整数"), torch.round),
    (
        Text(en="{x} with 0 for all that is negative", zh="{x}中的负数换成0"),
        lambda x: x.clamp(min=0),
    ),
)
ALONG: tuple[tuple[Text, Callable[[Tensor, int], Tensor]], ...] = (
    (Text(en="the softmax of {x}", zh="{x}的softmax"), torch.softmax),
    (Text(en="log_softmax of {x}", zh="{x}的log_softmax"), torch.log_softmax),
    (
        Text(en="{x} divided by its sum", zh="{x}除以总和"),
        lambda x, axis: x / x.sum(axis, keepdim=True),
    ),
    (
        Text(en="{x} divided by its norm", zh="{x}除以范数"),
        lambda x, axis: x / x.norm(dim=axis, keepdim=True),
    ),
    (Text(en="the running total of {x}", zh="{x}的累加和"), torch.cumsum),
    (Text(en="the sum of {x}", zh="{x}求和"), torch.sum),
    (Text(en="the mean of {x}", zh="{x}求平均"), torch.mean),
    (
        Text(en="{x} minus its first place", zh="{x}减去它的首位"),
        lambda x, axis: x - x.narrow(axis, 0, 1),
    ),
    (
        Text(en="{x} minus its mean", zh="{x}减去它的平均"),
        lambda x, axis: x - x.mean(axis, keepdim=True),
    ),
)
ALONG_AXIS = Text(en="{x} along {axis}", zh="{x}（沿{axis}）")
RIGHT, YOURS = Text(en="the right one", zh="正确结果"), Text(en="yours", zh="你的结果")


def _functions(axes: int) -> Iterator[Named]:
    yield from PLAIN
    for axis in range(-1, -axes - 1, -1):
        for words, function in ALONG:
            along = ALONG_AXIS.format(x=words, axis=axis_words(axis))
            yield (words if axes == 1 else along), _of_axis(function, axis)


def _of_axis(function: Callable[[Tensor, int], Tensor], axis: int) -> Callable[[Tensor], Tensor]:
    return lambda x: function(x, axis)


def function_of_truth(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with a function of the truth, such as an abs or a softmax too many."""
    for words, function in _functions(min(pair.want.ndim for pair in pairs)):
        if holds(pairs, lambda pair, function=function: function(pair.want)):
            image = words.format(x=RIGHT)
            return Text(en="Your result is {x}.", zh="你的结果是：{x}。").format(x=image)
    return None


def function_of_result(pairs: Sequence[Numbers]) -> Text | None:
    """Compare the truth with a function of the result, such as a missing abs or softmax."""
    for words, function in _functions(min(pair.got.ndim for pair in pairs)):
        evidence = 0.0
        for pair in pairs:
            image = function(pair.got)
            if not pair.equal(image, pair.want):
                break
            same_shape = image.shape == pair.got.shape
            changed = image[~pair.alike(pair.got, image)] if same_shape else image
            evidence += bits(pair.got) if changed.numel() else 0.0
        else:
            if min(evidence, bits(torch.cat([pair.want.flatten() for pair in pairs]))) >= ENOUGH:
                image = words.format(x=YOURS)
                return Text(en="The right result is {x}.", zh="正确结果是：{x}。").format(x=image)
    return None


def integers(pairs: Sequence[Numbers]) -> Text | None:
    """Find an integer dtype that cuts off everything after the decimal point."""
    if not all(pair.whole and pair.equal(pair.got, pair.want.trunc()) for pair in pairs):
        return None
    return Text(
        en="Your result has an integer dtype: everything after the decimal point of the right "
        "numbers has been cut off.",
        zh="你的结果是整数dtype：正确结果小数点后的部分全被截掉了。",
    )


def signs(pairs: Sequence[Numbers]) -> Text | None:
    """Compare magnitudes alone."""
    if not all(pair.equal(pair.got.abs(), pair.want.abs()) for pair in pairs):
        return None
    if not holds(pairs, lambda pair: pair.got):
        return None
    off = [torch.sign(pair.got) != torch.sign(pair.want) for pair in pairs]
    pair, places = max(zip(pairs, off, strict=True), key=lambda case: int(case[1].sum()))
    if bits(pair.want[places]) < ENOUGH:
        return None
    where = places.nonzero()[0].tolist()
    share = 100 * int(places.sum()) // places.numel()
    return Text(
        en=f"All your numbers are right but for the sign, which is wrong in {share}% of them, "
        f"first at {where}.",
        zh=f"你的数都对，只是正负号错了{share}%，第一处在{where}。",
    )


FIRST: tuple[Relation, ...] = (integers,)
RELATIONS: tuple[Relation, ...] = (function_of_truth, function_of_result)
LAST: tuple[Relation, ...] = (signs,)
