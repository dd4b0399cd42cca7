"""Comparisons of values that raise `Wrong` with the first wrong one beside the right one."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import torch

from autograde.kit.exercise import Function
from autograde.kit.expect import Wrong, expect, expect_size, expect_something, with_article


def expect_close(
    got: Any, want: torch.Tensor, *, rtol: float = 1e-4, atol: float = 1e-5
) -> torch.Tensor:
    """Return `got` if it equals `want` within |got - want| <= atol + rtol |want|.

    The reason gives the share of right values, and the first wrong one beside its target.
    The tolerances suit float32 results of order one.
    """
    got = expect_size(got, tuple(want.shape))
    expect(
        got.is_complex() == want.is_complex(),
        f"the dtype is {got.dtype}, expected {want.dtype}",
        f"dtype为{got.dtype}，应为{want.dtype}",
    )
    exact = torch.complex128 if want.is_complex() else torch.float64
    values, target = got.detach().cpu().to(exact), want.detach().cpu().to(exact)
    for name, test in (("NaN", torch.isnan), ("∞", torch.isinf)):
        if bool(test(values).any()) and not bool(test(target).any()):
            where = _first(test(values))
            raise Wrong(
                f"the result contains {name}" + (f" at {where}" if where else ""),
                f"结果中有{name}" + (f"，在{where}处" if where else ""),
            )
    right = torch.isclose(values, target, rtol=rtol, atol=atol)
    if bool(right.all()):
        return got
    where = _first(~right)
    mine, theirs = _distinct(values[~right][0].item(), target[~right][0].item())
    if got.dtype == want.dtype == torch.bool:
        mine, theirs = "True" if mine == "1" else "False", "True" if theirs == "1" else "False"
    if want.dim() == 0:
        raise Wrong(f"yours is {mine}, expected {theirs}", f"你的结果是{mine}，应为{theirs}")
    share = 100 * int(right.sum()) // right.numel()  # down: 100% would mean no error
    raise Wrong(
        f"{share}% of the values are right; at {where} yours is {mine}, expected {theirs}",
        f"{share}%的值正确；在{where}处你的结果是{mine}，应为{theirs}",
    )


def expect_number(got: Any, want: float, *, rtol: float = 1e-4, atol: float = 1e-6) -> None:
    """Check a plain number; a tensor of one element counts as one."""
    if isinstance(got, torch.Tensor) and got.numel() == 1:
        got = got.item()
    expect_something(got)
    if isinstance(got, bool) or not isinstance(got, Real):  # a numpy scalar is Real
        kind = type(got).__name__
        returned = with_article(kind)
        raise Wrong(f"it returned {returned}, expected a number", f"返回了{kind}，应为一个数")
    got = float(got)  # numpy computes in its own bits: abs(np.int8(-128)) is -128
    mine, theirs = _distinct(got, float(want))
    expect(
        got == want or abs(got - want) <= atol + rtol * abs(want) < math.inf,
        f"yours is {mine}, expected {theirs}",
        f"你的结果是{mine}，应为{theirs}",
    )


def expect_agreement(
    answer: Function,
    truth: Function,
    *args: Any,
    rtol: float = 1e-4,
    atol: float = 1e-5,
    **kwargs: Any,
) -> Any:
    """Return what `answer` returns for these inputs if it equals what `truth` returns for them."""
    got, want = answer(*args, **kwargs), truth(*args, **kwargs)
    if isinstance(want, torch.Tensor):
        return expect_close(got, want, rtol=rtol, atol=atol)
    expect_number(got, want, rtol=rtol, atol=atol)
    return got


def _distinct(mine: complex, theirs: complex) -> tuple[str, str]:
    """Return both numbers with enough digits to tell them apart."""
    if all(
        isinstance(number, float) and number.is_integer() and abs(number) < 2**53
        for number in (mine, theirs)
    ):
        return str(int(mine)), str(int(theirs))
    for digits in range(6, 17):
        texts = f"{mine + 0.0:.{digits}g}", f"{theirs + 0.0:.{digits}g}"  # 0.0: no minus zero
        if texts[0] != texts[1]:
            break
    return texts


def _first(mask: torch.Tensor) -> str:
    """Return the index of the first True in the mask as text; "" for a single number."""
    index = mask.nonzero()[0].tolist()
    return f"[{', '.join(map(str, index))}]" if index else ""
