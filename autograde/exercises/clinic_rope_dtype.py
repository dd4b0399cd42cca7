"""Exercise clinic_rope_dtype: positions rounded before they are multiplied."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_dtype, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_rope_dtype",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: a text that climbs in stairs",
        zh="修错：一级一级跳的文本",
    ),
    task=Text(
        en=r"""Mend `case_16`: the tables of interpolated RoPE for a model that runs in `dtype`,
each number right up to one rounding to `dtype`, for positions up to 4000.

In: `at` `(L,)`, positions, int64; `dim` even; `factor` is $s\ge1$; `dtype` of the result. Out:
shape `(2, L, dim/2)`, cosines, then sines.""",
        zh=r"""修好`case_16`：为以`dtype`运行的模型做插值RoPE的表，位置到4000为止，
每个数至多只有舍入到`dtype`的那一次误差。

输入：`at`，形状`(L,)`，位置，int64；`dim`为偶数；`factor`就是$s\ge1$；`dtype`是结果的类型。
输出：形状`(2, L, dim/2)`，先余弦，后正弦。""",
    ),
    signature="clinic_rope_dtype(at, dim, factor=1.0, dtype=torch.float32) -> (2, L, dim/2)",
    points=1,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Print `torch.arange(254, 262).to(torch.bfloat16)`.",
            zh="打印`torch.arange(254, 262).to(torch.bfloat16)`。",
        ),
        Text(
            en="bfloat16 has 8 significant bits: from 256 on, odd numbers are missing.",
            zh="bfloat16只有8位有效位：从256起就没有奇数了。",
        ),
        Text(
            en="Compute in float32, call `.to(dtype)` on the finished cosines and sines.",
            zh="用float32计算，最后对算好的余弦和正弦调用`.to(dtype)`。",
        ),
    ),
)


@exercise.check(en="shape and dtype", zh="形状与dtype")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dtype in (torch.float32, torch.bfloat16):
        got = answer(torch.arange(5), 8, 2.0, dtype)
        expect_dtype(expect_shape(got, (2, 5, 4)), dtype)


@exercise.check(en="neighbours differ, also far out", zh="很远处的相邻位置也不相同", weight=2)
def neighbours(answer: Function, rng: torch.Generator) -> None:
    at = torch.arange(1000, 1040)
    got = expect_shape(answer(at, 16, 1.0, torch.bfloat16), (2, 40, 8)).float()
    gap = (got[:, 1:] - got[:, :-1]).abs().amax((0, 2))
    equal = int((gap == 0).sum())
    expect(
        equal == 0,
        f"{equal} of 39 pairs of neighbours from 1000 on have the same row",
        f"从1000起的39对相邻位置中，有{equal}对的行相同",
    )


@exercise.check(en="one rounding away from the right number", zh="与正确的数只差一次舍入", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    at = torch.tensor([0, 1, 100, 257, 1003, 3999])
    for dtype, atol in ((torch.bfloat16, 0.003), (torch.float16, 0.0008), (torch.float32, 0.0006)):
        for dim, factor in ((8, 1.0), (32, 4.0)):
            got = expect_dtype(answer(at, dim, factor, dtype), dtype)
            want = _tables(at, _omega(dim) / factor, torch.float32)
            expect_close(got, want, rtol=0.0, atol=atol)
    expect_close(answer(at, 8), _tables(at, _omega(8), torch.float32), atol=6e-4)


def _tables(at: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
    angles = at[:, None].double() * omega.double()
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


def _omega(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-torch.arange(0, dim, 2).double() / dim)


def _mixed(at: Tensor, dim: int, factor: float, number: torch.dtype, angle: torch.dtype) -> Tensor:
    angles = at.to(number).float()[:, None] / factor * _omega(dim).float()
    angles = angles.to(angle).float()
    return torch.stack((angles.cos(), angles.sin()))


@exercise.misconception(
    en="Still the broken version: positions are rounded to `dtype` first. In bfloat16, 257 is 256, "
    "and of 0 … 4095 only 769 are left.",
    zh="还是有错的那个版本：先把位置舍入到`dtype`。bfloat16里257就是256，"
    "0到4095只剩下769个不同的数。",
)
def unchanged(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _mixed(at, dim, factor, dtype, torch.float32).to(dtype)


@exercise.misconception(
    en="Positions are exact now, the *angles* are rounded before the cosine: an angle of 1003 "
    "radians in bfloat16 is off by up to 2.",
    zh="位置准确了，但*角度*在取余弦之前被舍入：1003弧度的角度在bfloat16里最多差2。",
)
def rounded_angles(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _mixed(at, dim, factor, torch.float32, dtype).to(dtype)


@exercise.misconception(
    en="The numbers are right, the type is not: the model asked for `dtype`, you return float32.",
    zh="数对了，类型不对：模型要的是`dtype`，你返回的是float32。",
)
def never_cast(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _mixed(at, dim, factor, torch.float32, torch.float32)


@exercise.misconception(
    en="The precision is right, `factor` got lost.",
    zh="精度对了，`factor`却丢了。",
)
def factor_lost(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _mixed(at, dim, 1.0, torch.float32, torch.float32).to(dtype)
