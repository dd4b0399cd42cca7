"""Changes of a tensor: other positions, its first row for all, another scale, fewer digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from autograde.kit.relations.change import Change, Inputs, of_input
from bilingual import Text


def of_tensor(name: str, values: Sequence[Tensor], inputs: Inputs) -> Iterator[Change]:
    """Yield the changes that fit a tensor; `values`: in all calls, `inputs`: of the first call.

    An order of rows stays within its range: beyond it −1 would be the last row.
    """
    is_order = all(map(_is_order, values)) and any(bool((x.diff() < 0).any()) for x in values)
    for change in _of_tensor(name, values, inputs):
        if not is_order or all(_in_range(change.change({name: one})[name]) for one in values):
            yield change


def _is_order(x: Tensor) -> bool:
    return x.dtype == torch.int64 and torch.equal(x.sort().values, torch.arange(x.numel()))


def _in_range(order: Tensor) -> bool:
    return bool(((order >= 0) & (order < len(order))).all())


def _of_tensor(name: str, values: Sequence[Tensor], inputs: Inputs) -> Iterator[Change]:
    """Yield the changes that fit a tensor.

    Changes of positions do not fit weights, frequencies and embeddings: in all calls these are
    fractions of at most 1, or have several rows.
    """
    value = values[0]
    is_mask = any(one.dtype == torch.bool for one in values)  # in some calls; 0 and 1 in others
    if is_mask or set(value.unique().tolist()) == {0, 1}:
        yield of_input(name, f"with `{name}` the other way round", f"`{name}`取反", _negated)
        yield of_input(name, f"without `{name}` (all True)", f"不用`{name}`（全为True）", _ones)
    rows = ROWS if value.ndim > 1 else ()
    if is_mask:
        for words, function in rows[:1]:
            yield of_input(name, words.en.format(x=name), words.zh.format(x=name), function)
        return
    whole = all(one.ndim == 1 or bool((one == one.round()).all()) for one in values)
    counts = value.ndim > 0 and whole and any(bool((one.abs() > 1).any()) for one in values)
    for words, function in POSITIONS if counts else ():
        yield of_input(name, words.en.format(x=name), words.zh.format(x=name), function)
    for words, function in rows:
        yield of_input(name, words.en.format(x=name), words.zh.format(x=name), function)
    yield of_input(name, f"for −`{name}`", f"`{name}`取相反数", torch.neg)
    yield of_input(name, f"for the absolute value of `{name}`", f"`{name}`取绝对值", torch.abs)
    yield of_input(name, f"as if `{name}` were 0 everywhere", f"`{name}`全取0", _zeros)
    if value.is_floating_point():
        yield from _casts(name, value, inputs)
        for words, function in SCALES if value.ndim else ():
            size = f"`{name}.shape[-1]`"
            yield of_input(
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
        yield of_input(
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
