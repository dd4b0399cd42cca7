"""Comparisons that raise `Wrong` with a reason: type, then shape, then dtype."""

from __future__ import annotations

import reprlib
from typing import Any

import torch

from bilingual import Text

LARGEST = 10_000_000  # numbers in one returned tensor; no exercise needs a tenth of it
QUOTED = 300  # characters of what was returned or raised that a message repeats
REASON = 900  # characters of a whole reason


class Wrong(Exception):
    """A check failed; `reason` says why in both languages."""

    def __init__(self, en: str, zh: str) -> None:
        """Keep the reason."""
        self.reason = Text(en=_cut(en, REASON), zh=_cut(zh, REASON))
        super().__init__(en)


def excerpt(value: Any) -> str:
    """Return the repr of `value`, cut to what a message can quote."""
    short = reprlib.Repr()  # never writes out what is long
    short.maxlist = short.maxtuple = short.maxdict = short.maxset = 50
    short.maxstring = short.maxother = short.maxlong = QUOTED
    return _cut(short.repr(value), QUOTED)


def with_article(kind: str) -> str:
    """Return the name of a type with its article: an int, an ndarray, a list."""
    return f"an {kind}" if kind[:1].lower() in "aeio" or kind == "ndarray" else f"a {kind}"


def expect(condition: bool | torch.Tensor, en: str, zh: str) -> None:
    """Raise `Wrong` with the two sentences unless `condition` holds."""
    if not bool(condition):
        raise Wrong(en, zh)


def expect_something(got: Any) -> None:
    """Raise `Wrong` for None, which a function without a `return` returns."""
    if got is None:
        raise Wrong(
            "it returned None: does every path through it end with a `return`?",
            "返回了None：是不是有哪条路径漏了`return`？",
        )


def expect_tensor(got: Any) -> torch.Tensor:
    """Return `got` if it is a tensor of sensible size."""
    expect_something(got)
    if not isinstance(got, torch.Tensor):
        kind = type(got).__name__
        raise Wrong(
            f"it returned {with_article(kind)}, expected a torch.Tensor",
            f"返回了{kind}，应为torch.Tensor",
        )
    if got.numel() > LARGEST:
        raise Wrong(
            f"the result is huge: shape {tuple(got.shape)}",
            f"结果大得离谱：形状为{tuple(got.shape)}",
        )
    if got.layout is not torch.strided:
        raise Wrong(
            "the result is a sparse tensor, expected a dense one",
            "结果是稀疏张量，应为稠密张量",
        )
    return got


def expect_size(got: Any, shape: tuple[int, ...]) -> torch.Tensor:
    """Return `got` if it is a tensor of this shape, of real numbers or of complex ones."""
    got = expect_tensor(got)
    actual = tuple(got.shape)
    expect(
        actual == tuple(shape),
        f"the shape is {actual}, expected {tuple(shape)}",
        f"形状为{actual}，应为{tuple(shape)}",
    )
    return got


def expect_shape(got: Any, shape: tuple[int, ...]) -> torch.Tensor:
    """Return `got` if it is a tensor of this shape, of real numbers."""
    got = expect_size(got, shape)
    expect(
        not got.is_complex(),
        f"the dtype is {got.dtype}, expected real numbers",
        f"dtype为{got.dtype}，应为实数",
    )
    return got


def expect_finite(got: Any, shape: tuple[int, ...]) -> torch.Tensor:
    """Return `got` if it is a tensor of this shape, of finite numbers.

    For a check that compares an answer's results with each other: NaN is neither below a limit
    nor above it, and infinity equals infinity.
    """
    got = expect_shape(got, shape)
    for name, wrong in (("NaN", got.isnan()), ("∞", got.isinf())):
        count = int(wrong.sum())
        expect(
            count == 0,
            f"{count} of {got.numel()} numbers {'is' if count == 1 else 'are'} {name}",
            f"{got.numel()}个数中有{count}个是{name}",
        )
    return got


def expect_effect(got: Any, shape: tuple[int, ...], *inputs: torch.Tensor) -> torch.Tensor:
    """Return `got` if its numbers are finite, not all equal, and not those of one of `inputs`.

    For a check that something stays the same, which an answer that does nothing would pass. A
    result within 1% of an input counts as that input: its dtype may be short.
    """
    got = expect_finite(got, shape)
    numbers = got.detach().cpu().double()
    equal = numbers.flatten()[0].item()
    expect(
        bool((numbers != equal).any()),
        f"all {got.numel()} numbers are {equal:.6g}, expected different ones",
        f"{got.numel()}个数全是{equal:.6g}，不应都相同",
    )
    for x in inputs:
        apart = x.shape != got.shape or (numbers - x.double()).norm() > 0.01 * x.double().norm()
        expect(
            apart,
            "it returns an input as it is: nothing has happened to it",
            "原样返回了输入：什么也没有做",
        )
    return got


def expect_other(got: torch.Tensor, other: torch.Tensor) -> None:
    """Check that results for different inputs differ, in a check that compares them.

    Results that ignore the inputs would pass such a check.
    """
    expect(
        not torch.equal(got, other),
        "it returns the same numbers for other inputs",
        "换了别的输入，返回的数还是一样",
    )


def expect_dtype(got: Any, dtype: torch.dtype) -> torch.Tensor:
    """Return `got` if it is a tensor of this dtype."""
    got = expect_tensor(got)
    expect(
        got.dtype == dtype,
        f"the dtype is {got.dtype}, expected {dtype}",
        f"dtype为{got.dtype}，应为{dtype}",
    )
    return got


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
