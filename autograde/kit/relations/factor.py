"""The right numbers times a factor, or plus a constant."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from autograde.kit.relations.pair import Numbers, Relation, holds
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
    numbers: dict[str, float] = {}
    for name, value in inputs.items():
        if isinstance(value, Tensor):
            ends = range(-1, -value.ndim - 1, -1)
            numbers |= {f"{name}.shape[{end}]": float(value.shape[end]) for end in ends}
        elif isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e9:
            numbers[name] = float(value)
    return numbers


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
    name = _factor(pairs, sizes(pairs[0].inputs)) or _any_factor(pairs)
    return _times(name) if name else None


def named_factor(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with a multiple that many formulas have: 2, π, a size of a tensor or its root."""
    tensors = {name: x for name, x in pairs[0].inputs.items() if isinstance(x, Tensor)}
    name = _factor(pairs, sizes(tensors))
    return _times(name) if name else None


def sharpness(pairs: Sequence[Numbers]) -> Text | None:
    """Compare the scores behind two softmaxes: a factor is missing before it, or is too many."""
    for pair in pairs:
        shares = pair.want.ndim > 0 and bool((pair.want >= 0).all() and (pair.got >= 0).all())
        if not shares or pair.got.shape != pair.want.shape:
            return None
        if not all((side.sum(-1) - 1).abs().max() < 1e-3 for side in (pair.got, pair.want)):
            return None
    scores = [replace(pair, got=_scores(pair.got), want=_scores(pair.want)) for pair in pairs]
    name = _factor(scores, sizes(pairs[0].inputs)) or _any_factor(scores)
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


def _factor(pairs: Sequence[Numbers], labels: Iterable[str]) -> str | None:
    """Return the name of a factor that a formula may lack: 2, π, a size, its root."""
    ratios = [_ratio(pair) for pair in pairs]
    if not _usable(ratios):
        return None
    for name, value in FACTORS:
        near = all(ratio is None or math.isclose(ratio, value, rel_tol=1e-3) for ratio in ratios)
        if near and holds(pairs, lambda pair, value=value: pair.want * value):
            return name
    for label in labels:
        for form, function in SIZED:
            if _sized(pairs, ratios, label, function):
                return form.format(n=label)
    return None


def _any_factor(pairs: Sequence[Numbers]) -> str | None:
    ratios = [_ratio(pair) for pair in pairs]
    if not _usable(ratios):
        return None
    value = next(ratio for ratio in ratios if ratio is not None)
    same = all(ratio is None or math.isclose(ratio, value, rel_tol=1e-3) for ratio in ratios)
    if same and holds(pairs, lambda pair: pair.want * value, parameter=25):
        return f"{value:.4g}"
    return None


def _usable(ratios: Sequence[float | None]) -> bool:
    sizes = [abs(ratio) for ratio in ratios if ratio is not None]
    return bool(sizes) and min(sizes) >= 1e-9


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


RELATIONS: tuple[Relation, ...] = (factor, sharpness, constant)
NAMED: tuple[Relation, ...] = (named_factor, sharpness)
