"""Numbers that are a function of the right ones, or of which the right ones are a function."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from autograde.kit.relations.pair import Numbers, Relation, axis_words, bits, holds, numbers
from bilingual import Text

FACTORS: tuple[tuple[str, float], ...] = (
    ("−1", -1.0),
    ("2", 2.0),
    ("1/2", 0.5),
    ("−2", -2.0),
    ("−1/2", -0.5),
    ("2π", math.tau),
    ("1/(2π)", 1 / math.tau),
    ("π", math.pi),
    ("1/π", 1 / math.pi),
    ("1/ln 2", 1 / math.log(2)),
    ("ln 2", math.log(2)),
    ("1/ln 10", 1 / math.log(10)),
    ("ln 10", math.log(10)),
    ("log₁₀ 2", math.log10(2)),
    ("180/π", 180 / math.pi),
    ("π/180", math.pi / 180),
    ("√2", 2**0.5),
    ("1/√2", 0.5**0.5),
    ("√3", 3**0.5),
    ("1/√3", 3**-0.5),
)
SIZED: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("√{n}", lambda n: n**0.5),
    ("1/√{n}", lambda n: n**-0.5),
    ("{n}", lambda n: n),
    ("1/{n}", lambda n: 1 / n),
    ("√({n}/2)", lambda n: (n / 2) ** 0.5),
    ("1/√({n}/2)", lambda n: (n / 2) ** -0.5),
)


def sizes(inputs: dict[str, Any]) -> dict[str, float]:
    """Return the sizes of the inputs and the plain numbers among them, by what a reader writes."""
    known: dict[str, float] = {}
    for name, value in inputs.items():
        if isinstance(value, Tensor):
            ends = range(-1, -value.ndim - 1, -1)
            known |= {f"{name}.shape[{end}]": float(value.shape[end]) for end in ends}
        elif isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e9:
            known[name] = float(value)
    return known


def _ratio(pair: Numbers) -> float | None:
    """Return what the right number is multiplied with where it is largest."""
    if pair.got.shape != pair.want.shape:
        return None
    finite = torch.where(pair.want.isfinite() & pair.got.isfinite(), pair.want.abs(), 0.0)
    if not finite.numel() or finite.max() == 0:
        return None
    place = finite.flatten().argmax()
    return float(pair.got.flatten()[place] / pair.want.flatten()[place])


def factor(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with a multiple of the truth."""
    name = _factor(pairs)
    return _times(name) if name else None


def sharpness(pairs: Sequence[Numbers]) -> Text | None:
    """Compare the scores behind two softmaxes: a factor is missing before it, or is too many."""
    for pair in pairs:
        shares = pair.want.ndim > 0 and bool((pair.want >= 0).all() and (pair.got >= 0).all())
        if not shares or pair.got.shape != pair.want.shape:
            return None
        if not all((side.sum(-1) - 1).abs().max() < 1e-3 for side in (pair.got, pair.want)):
            return None
    name = _factor(
        [replace(pair, got=_scores(pair.got), want=_scores(pair.want)) for pair in pairs]
    )
    if not name:
        return None
    return Text(
        en=f"Your weights are the softmax of {name} times the right scores: a factor is missing, "
        "or too many, before the softmax.",
        zh=f"你的权重是正确得分的{name}倍的softmax：softmax之前少乘或多乘了这个因子。",
    )


def _scores(shares: Tensor) -> Tensor:
    logs = shares.log()
    seen = logs.isfinite()
    mean = torch.where(seen, logs, 0.0).sum(-1, keepdim=True) / seen.sum(-1, keepdim=True)
    return logs - mean


def _factor(pairs: Sequence[Numbers]) -> str | None:
    ratios = [_ratio(pair) for pair in pairs]
    known = [ratio for ratio in ratios if ratio is not None]
    if not known or any(abs(ratio) < 1e-9 for ratio in known):
        return None
    for name, value in FACTORS:
        near = all(math.isclose(ratio, value, rel_tol=1e-3) for ratio in known)
        if near and holds(pairs, lambda pair, value=value: pair.want * value):
            return name
    for label in sizes(pairs[0].inputs):
        for form, function in SIZED:
            if _sized(pairs, ratios, label, function):
                return form.format(n=label)
    value = known[0]
    constant = all(math.isclose(ratio, value, rel_tol=1e-3) for ratio in known)
    if constant and holds(pairs, lambda pair: pair.want * value, parameter=25):
        return f"{value:.4g}"
    return None


def _sized(
    pairs: Sequence[Numbers],
    ratios: Sequence[float | None],
    label: str,
    function: Callable[[float], float],
) -> bool:
    for pair, ratio in zip(pairs, ratios, strict=True):
        size = sizes(pair.inputs).get(label)
        if size is None or (
            ratio is not None and not math.isclose(ratio, function(size), rel_tol=1e-3)
        ):
            return False
    return holds(pairs, lambda pair: pair.want * function(sizes(pair.inputs)[label]), parameter=5)


def _times(name: str) -> Text:
    if name == "−1":
        return Text(
            en="Your result is the right one with the other sign, everywhere.",
            zh="你的结果与正确结果处处只差一个负号。",
        )
    return Text(
        en=f"Your result is {name} times the right one, everywhere.",
        zh=f"你的结果处处是正确结果的{name}倍。",
    )


def constant(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth plus a constant."""
    differences = []
    for pair in pairs:
        if pair.got.shape != pair.want.shape:
            return None
        finite = (pair.got - pair.want).flatten()
        finite = finite[finite.isfinite()]
        differences += finite[:1].tolist()
    if not differences:
        return None
    value = differences[0]
    small = value in (1.0, -1.0, 2.0, -2.0, 0.5, -0.5)
    if not holds(pairs, lambda pair: pair.want + value, parameter=0 if small else 25):
        return None
    sign = "+" if value > 0 else "−"
    more = Text(en="more" if value > 0 else "less", zh="大" if value > 0 else "小")
    return Text(
        en=f"Your result is the right one {sign} {abs(value):.6g}, everywhere: {abs(value):.6g} "
        f"{more.en}.",
        zh=f"你的结果处处比正确结果{more.zh}{abs(value):.6g}。",
    )


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


def _functions(axes: int) -> Iterator[Named]:
    yield from PLAIN
    for axis in range(-1, -axes - 1, -1):
        for words, function in ALONG:
            where = axis_words(axis)
            along = Text(en=f"{words.en} along {where.en}", zh=f"{words.zh}（沿{where.zh}）")
            yield (words if axes == 1 else along), _of_axis(function, axis)


def _of_axis(function: Callable[[Tensor, int], Tensor], axis: int) -> Callable[[Tensor], Tensor]:
    return lambda x: function(x, axis)


def function_of_truth(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with a function of the truth: an abs or a softmax that is one too many."""
    for words, function in _functions(min(pair.want.ndim for pair in pairs)):
        if holds(pairs, lambda pair, function=function: function(pair.want)):
            return Text(
                en=f"Your result is {words.en.format(x='the right one')}.",
                zh=f"你的结果是：{words.zh.format(x='正确结果')}。",
            )
    return None


def function_of_result(pairs: Sequence[Numbers]) -> Text | None:
    """Compare the truth with a function of the result: an abs or a softmax that is missing."""
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
            if evidence >= 20 and bits(torch.cat([pair.want.flatten() for pair in pairs])) >= 20:
                return Text(
                    en=f"The right result is {words.en.format(x='yours')}.",
                    zh=f"正确结果是：{words.zh.format(x='你的结果')}。",
                )
    return None


def an_input(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with an input itself, and with the truth when an input is left out or added."""
    for name, value in pairs[0].inputs.items():
        if not isinstance(value, Tensor):
            continue

        def argument(pair: Numbers, name: str = name) -> Tensor:
            value = numbers(pair.inputs.get(name))
            return pair.want.new_empty(0) if value is None else value

        if holds(pairs, argument):
            return Text(
                en=f"Your result is the input `{name}`, unchanged.",
                zh=f"你的结果就是输入`{name}`，没有变。",
            )
        for sign, words in (
            (-1, Text(en="without `{x}`, which must be added", zh="少加了`{x}`")),
            (1, Text(en="with `{x}` added to it", zh="多加了`{x}`")),
        ):

            def image(pair: Numbers, sign: int = sign) -> Tensor | None:
                value = argument(pair)
                fits = value.numel() and _broadcasts(value, pair.want)
                return pair.want + sign * value if fits else None

            if holds(pairs, image):
                return Text(
                    en=f"Your result is the right one {words.en.format(x=name)}.",
                    zh=f"与正确结果相比，你的结果{words.zh.format(x=name)}。",
                )
    return None


def _broadcasts(value: Tensor, to: Tensor) -> bool:
    sides = zip(value.shape[::-1], to.shape[::-1], strict=False)
    return value.ndim <= to.ndim and all(a in (1, b) for a, b in sides)


def signs(pairs: Sequence[Numbers]) -> Text | None:
    """Compare magnitudes alone."""
    if not holds(pairs, lambda pair: pair.got) or any(
        pair.got.shape != pair.want.shape or not pair.equal(pair.got.abs(), pair.want.abs())
        for pair in pairs
    ):
        return None
    off = [torch.sign(pair.got) != torch.sign(pair.want) for pair in pairs]
    pair, places = max(zip(pairs, off, strict=True), key=lambda one: int(one[1].sum()))
    if not bool(places.any()) or sum(bits(pair.want[mask]) for mask in [places]) < 20:
        return None
    where = places.nonzero()[0].tolist()
    share = 100 * int(places.sum()) // places.numel()
    return Text(
        en=f"All your numbers are right but for the sign, which is wrong in {share}% of them, "
        f"first at {where}.",
        zh=f"你的数都对，只是正负号错了{share}%，第一处在{where}。",
    )


def integers(pairs: Sequence[Numbers]) -> Text | None:
    """Find an integer dtype that cuts off all that stands behind the point."""
    if not all(pair.whole and pair.equal(pair.got, pair.want.trunc()) for pair in pairs):
        return None
    return Text(
        en="Your result has an integer dtype: of the right numbers all is cut off that stands "
        "behind the point.",
        zh="你的结果是整数dtype：正确结果小数点后的部分全被截掉了。",
    )


RELATIONS: tuple[Relation, ...] = (
    integers,
    factor,
    sharpness,
    constant,
    an_input,
    function_of_truth,
    function_of_result,
)
LAST: tuple[Relation, ...] = (signs,)
