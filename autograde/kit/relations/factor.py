"""The right numbers times a factor."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation
from autograde.kit.relations.evidence import holds
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
    ("{n}/2", lambda n: n / 2),
    ("2/{n}", lambda n: 2 / n),
    ("√({n}/2)", lambda n: (n / 2) ** 0.5),
    ("1/√({n}/2)", lambda n: (n / 2) ** -0.5),
)


def sizes(inputs: dict[str, Any]) -> dict[str, float]:
    """Return the axis sizes and plain numbers of the inputs, by the code that names them."""
    numbers: dict[str, float] = {}
    for name, value in inputs.items():
        if isinstance(value, Tensor):
            ends = range(-1, -value.ndim - 1, -1)
            numbers |= {f"{name}.shape[{end}]": float(value.shape[end]) for end in ends}
        elif isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e9:
            numbers[name] = float(value)
    return numbers


def _ratio(pair: Numbers) -> float | None:
    """Return the quotient of the two results at the largest right number, None without one."""
    if pair.got.shape != pair.want.shape:
        return None
    finite = torch.where(pair.want.isfinite() & pair.got.isfinite(), pair.want.abs(), 0.0)
    if not finite.numel() or finite.max() == 0:
        return None
    index = finite.flatten().argmax()
    return float(pair.got.flatten()[index] / pair.want.flatten()[index])


def factor(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with a multiple of the truth."""
    name = name_of_factor(pairs)
    return _times(name) if name else None


def name_of_factor(pairs: Sequence[Numbers]) -> str | None:
    """Return the factor of the truth as text: 2, π, a size, its root, or else the number."""
    return _factor(pairs, sizes(pairs[0].inputs)) or _any_factor(pairs)


def named_factor(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with a multiple that many formulas have: 2, π, a size of a tensor or its root."""
    tensors = {name: x for name, x in pairs[0].inputs.items() if isinstance(x, Tensor)}
    name = _factor(pairs, sizes(tensors))
    return _times(name) if name else None


def _factor(pairs: Sequence[Numbers], labels: Iterable[str]) -> str | None:
    """Return the name of a factor that a formula may lack: 2, π, a size, its root."""
    ratios = [_ratio(pair) for pair in pairs]
    if not _usable(ratios):
        return None
    for name, value in FACTORS:
        near = all(ratio is None or math.isclose(ratio, value, rel_tol=1e-3) for ratio in ratios)
        if near and holds(pairs, lambda pair, value=value: pair.want * value):
            return name
    every = [sizes(pair.inputs) for pair in pairs]
    for label in labels:
        if not all(label in of_one for of_one in every):
            continue
        values = [of_one[label] for of_one in every]
        for form, function in SIZED:
            if _sized(pairs, ratios, map(function, values)):
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
    magnitudes = [abs(ratio) for ratio in ratios if ratio is not None]
    return bool(magnitudes) and min(magnitudes) >= 1e-9


def _sized(
    pairs: Sequence[Numbers], ratios: Sequence[float | None], factors: Iterable[float]
) -> bool:
    of_call = {}
    for pair, ratio, value in zip(pairs, ratios, factors, strict=True):
        if ratio is not None and not math.isclose(ratio, value, rel_tol=1e-3):
            return False
        of_call[id(pair)] = value
    return holds(pairs, lambda pair: pair.want * of_call[id(pair)], parameter=5)


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


RELATIONS: tuple[Relation, ...] = (factor,)
