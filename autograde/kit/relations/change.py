"""What an answer may have done with its inputs: each change gives the truth other inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import Parameter
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from bilingual import Text

Inputs = dict[str, Any]
COMMON = (0, 1, 2, 8, 16, 32, 64, 100, 128, 200, 512, 10000)  # numbers that get written down


@dataclass(frozen=True)
class Change:
    """Other inputs, and the words for them: "Your result equals the right one …"."""

    name: str
    words: Text
    change: Callable[[Inputs], Inputs]
    rare: bool = False  # too rare to be looked for beside a second mistake


def changes(calls: Sequence[Inputs], parameters: dict[str, Parameter]) -> Iterator[Change]:
    """Yield the changes that fit the inputs of these calls, the likeliest first."""
    inputs = calls[0]
    for name, value in inputs.items():
        if isinstance(value, Tensor):
            yield from _of_tensor(name, value, inputs)
        elif isinstance(value, bool):
            yield _one(name, f"for `{name}` = {not value}", f"`{name}`取{not value}", _not)
        elif isinstance(value, int | float):
            yield from _of_number(name, value, [call[name] for call in calls])
        elif isinstance(value, list | tuple) and len(value) > 1:
            yield _one(name, f"for `{name}` in reverse", f"`{name}`倒序", _reversed, rare=True)
    for name, parameter in parameters.items():
        if parameter.default is not Parameter.empty and name in inputs:
            default = parameter.default
            yield _one(
                name,
                f"with `{name}` = {_plain(default)} whatever is passed",
                f"无论传入什么、`{name}`都取{_plain(default)}",
                lambda _, default=default: default,
            )
    for left, right in combinations(inputs, 2):
        if _exchangeable(inputs[left], inputs[right]):
            yield Change(
                "exchanged",
                Text(en=f"with `{left}` and `{right}` exchanged", zh=f"`{left}`与`{right}`互换"),
                lambda inputs, left=left, right=right: {
                    **inputs,
                    left: inputs[right],
                    right: inputs[left],
                },
            )


def _one(name: str, en: str, zh: str, function: Callable[[Any], Any], rare: bool = False) -> Change:
    return Change(
        f"input_{name}",
        Text(en=en, zh=zh),
        lambda inputs: {**inputs, name: function(inputs[name])},
        rare,
    )


def _reversed(values: Sequence[Any]) -> Sequence[Any]:
    return values[::-1]


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _not(value: Any) -> bool:
    return not value


def _exchangeable(left: Any, right: Any) -> bool:
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return left.ndim == right.ndim and left.is_floating_point() == right.is_floating_point()
    numbers = (int, float)
    return isinstance(left, numbers) and isinstance(right, numbers)


def _of_number(name: str, value: float, values: Sequence[float]) -> Iterator[Change]:
    if isinstance(value, int):
        for step, sign in ((1, "+"), (-1, "−")):
            words = f"`{name}` {sign} 1"
            yield _one(name, f"for {words}", f"`{name}`取{words}", lambda x, step=step: x + step)
        yield _one(name, f"for `{name}` / 2", f"`{name}`取一半", lambda x: x // 2)
    else:
        yield _one(name, f"for 1 / `{name}`", f"`{name}`取倒数", lambda x: 1 / x)
        yield _one(name, f"for √`{name}`", f"`{name}`取平方根", lambda x: x**0.5)
        yield _one(name, f"for −`{name}`", f"`{name}`取相反数", lambda x: -x)
        yield _one(name, f"for `{name}` / 2", f"`{name}`取一半", lambda x: x / 2)
    if any(float(one) > 1 and not float(one).is_integer() for one in values):
        yield _one(name, f"for `{name}` cut to an integer", f"`{name}`取整", int)
    yield _one(name, f"for 2 · `{name}`", f"`{name}`取两倍", lambda x: 2 * x)
    if len(set(values)) == 1:
        return  # of a number that never changes nothing shows that it is ignored
    # a size that is much larger than this call's would take memory and time
    largest = max(32, 4 * value) if isinstance(value, int) else max(COMMON)
    for fixed in (number for number in COMMON if number <= largest):
        yield _one(
            name,
            f"with `{name}` = {fixed} whatever is passed",
            f"无论传入什么、`{name}`都取{fixed}",
            lambda x, fixed=fixed: type(x)(fixed),
            rare=True,
        )


def _of_tensor(name: str, value: Tensor, inputs: Inputs) -> Iterator[Change]:
    if value.dtype == torch.bool or set(value.unique().tolist()) == {0, 1}:
        yield _one(name, f"with `{name}` the other way round", f"`{name}`取反", _negated)
        yield _one(name, f"without `{name}` (all True)", f"不用`{name}`（全为True）", _ones)
    if value.dtype == torch.bool:
        return
    # weights, frequencies and embeddings have no places and no next one: fractions of at most 1,
    # or in several rows
    whole = value.ndim == 1 or bool((value == value.round()).all())
    counts = value.ndim > 0 and whole and bool((value.abs() > 1).any())
    for words, function in POSITIONS if counts else ():
        yield _one(name, words.en.format(x=name), words.zh.format(x=name), function)
    for words, function in ROWS if value.ndim > 1 else ():
        yield _one(name, words.en.format(x=name), words.zh.format(x=name), function)
    yield _one(name, f"for −`{name}`", f"`{name}`取相反数", torch.neg)
    yield _one(name, f"for the absolute value of `{name}`", f"`{name}`取绝对值", torch.abs)
    yield _one(name, f"as if `{name}` were 0 everywhere", f"`{name}`全取0", _zeros)
    if value.is_floating_point():
        yield from _casts(name, value, inputs)
        for words, function in SCALES if value.ndim else ():
            size = f"`{name}.shape[-1]`"
            yield _one(
                name,
                f"for `{name}` · {words}, D = {size}",
                f"`{name}`乘以{words}（D为{size}）",
                lambda x, function=function: x * function(x.shape[-1]),
            )


def _casts(name: str, value: Tensor, inputs: Inputs) -> Iterator[Change]:
    for other, like in inputs.items():
        if isinstance(like, Tensor) and like.is_floating_point() and like.dtype != value.dtype:
            yield Change(
                "cast",
                Text(
                    en=f"for `{name}` cast to the dtype of `{other}` first",
                    zh=f"先把`{name}`转成`{other}`的dtype",
                ),
                lambda inputs, other=other: {
                    **inputs,
                    name: inputs[name].to(inputs[other].dtype).to(inputs[name].dtype),
                },
                rare=True,
            )
    for dtype in (torch.bfloat16, torch.float16, torch.float32):
        short = str(dtype).removeprefix("torch.")
        yield _one(
            name,
            f"for `{name}` rounded to {short} first",
            f"先把`{name}`舍入到{short}",
            lambda x, dtype=dtype: x.to(dtype).to(x.dtype),
            rare=True,
        )


def _negated(mask: Tensor) -> Tensor:
    return ~mask if mask.dtype == torch.bool else 1 - mask


def _ones(mask: Tensor) -> Tensor:
    return torch.ones_like(mask)


def _zeros(x: Tensor) -> Tensor:
    return torch.zeros_like(x)


def _places(x: Tensor) -> Tensor:
    return torch.arange(x.shape[-1], dtype=x.dtype).expand(x.shape).clone()


POSITIONS: tuple[tuple[Text, Callable[[Tensor], Tensor]], ...] = (
    (Text(en="for `{x}` + 1", zh="`{x}`整体加1"), lambda x: x + 1),
    (Text(en="for `{x}` − 1", zh="`{x}`整体减1"), lambda x: x - 1),
    (
        Text(
            en="with 0, 1, 2, … in place of `{x}`",
            zh="用0、1、2……代替`{x}`",
        ),
        _places,
    ),
    (Text(en="for `{x}` cut to whole numbers", zh="`{x}`截成整数"), torch.trunc),
    (
        Text(en="for `{x}` counted from its first", zh="`{x}`从自己的第一个数起算"),
        lambda x: x - x[..., :1],
    ),
    (
        Text(
            en="for consecutive numbers from the first of `{x}` on",
            zh="从`{x}`的第一个数起逐个加1",
        ),
        lambda x: x[..., :1] + _places(x),
    ),
    (Text(en="for `{x}` in reverse", zh="`{x}`倒序"), lambda x: x.flip(-1)),
)
SCALES: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("√D", lambda size: size**0.5),
    ("1/√D", lambda size: size**-0.5),
    ("D", lambda size: size),
    ("1/D", lambda size: 1 / size),
)
ROWS: tuple[tuple[Text, Callable[[Tensor], Tensor]], ...] = (
    (
        Text(en="with the first row of `{x}` in every row", zh="每一行都用`{x}`的第一行"),
        lambda x: x[:1].expand_as(x).clone(),
    ),
    (
        Text(en="for `{x}` with its last two axes swapped", zh="交换`{x}`的最后两维"),
        lambda x: x.transpose(-1, -2),
    ),
)
