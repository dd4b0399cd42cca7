"""Exercise clinic_ntk_base: a base that grows too little."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_dtype, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_ntk_base",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: the slowest pair goes too far",
        zh="修错：最慢的一对走过了头",
    ),
    task=Text(
        en=r"""Mend `case_14`, NTK-aware scaling: change the base so that the fastest pair keeps
frequency 1 and the slowest is divided by exactly $s$.

In: `at` `(L,)`, positions, int64; `dim` even; `factor` is $s\ge1$; `dtype` of the result. Out:
shape `(2, L, dim/2)`, cosines, then sines.""",
        zh=r"""修好`case_14`，即NTK-aware缩放：改变base，使最快的一对频率仍为1，最慢的一对恰好除以$s$。

输入：`at`，形状`(L,)`，位置，int64；`dim`为偶数；`factor`就是$s\ge1$；`dtype`是结果的类型。
输出：形状`(2, L, dim/2)`，先余弦，后正弦。""",
    ),
    signature="clinic_ntk_base(at, dim, factor=1.0, dtype=torch.float32) -> (2, L, dim/2)",
    points=1,
    difficulty=3,
    minutes=6,
    hints=(
        Text(
            en="By what is the last frequency divided for `dim = 64` and $s=8$? Not quite by 8.",
            zh="`dim = 64`、$s=8$时，最后一个频率被除以了多少？并不正好是8。",
        ),
        Text(
            en="The last frequency is $b^{-(d-2)/d}$. Solve $(bc)^{-(d-2)/d}=b^{-(d-2)/d}/s$ "
            "for $c$.",
            zh="最后一个频率是$b^{-(d-2)/d}$。从$(bc)^{-(d-2)/d}=b^{-(d-2)/d}/s$解出$c$。",
        ),
        Text(
            en="`10000.0 * factor ** (dim / (dim - 2))`.",
            zh="`10000.0 * factor ** (dim / (dim - 2))`。",
        ),
    ),
)


@exercise.check(en="shape and dtype", zh="形状与dtype")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dtype in (torch.float32, torch.bfloat16):
        got = answer(torch.arange(5), 8, 2.0, dtype)
        expect_dtype(expect_shape(got, (2, 5, 4)), dtype)


@exercise.check(en="the slowest pair is divided by s", zh="最慢的一对恰好除以s", weight=2)
def slowest(answer: Function, rng: torch.Generator) -> None:
    for dim, factor in ((8, 4.0), (64, 8.0)):
        far = expect_shape(
            answer(torch.tensor([1000 * int(factor)]), dim, factor), (2, 1, dim // 2)
        )
        trained = _tables(torch.tensor([1000]), _omega(dim), torch.float32)
        expect_close(far[:, :, -1], trained[:, :, -1], atol=2e-3)


@exercise.check(en="the tables of NTK-aware scaling", zh="与NTK-aware缩放的表相同", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    at = torch.tensor([0, 1, 2, 9, 300])
    for dim, factor in ((6, 2.0), (32, 16.0), (64, 1.0)):
        want = _tables(at, _omega(dim, 10000.0 * factor ** (dim / (dim - 2))), torch.float32)
        expect_close(answer(at, dim, factor), want, atol=1e-3)
    expect_close(answer(at, 16), _tables(at, _omega(16), torch.float32), atol=1e-3)


def _tables(at: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
    angles = at[:, None].double() * omega.double()
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


def _omega(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-torch.arange(0, dim, 2).double() / dim)


@exercise.misconception(
    en="Still the broken version: the base is multiplied by s itself. The last frequency is "
    "divided by 7.5 instead of 8 (dim = 64): at the far end the pair goes beyond what was trained.",
    zh="还是有错的那个版本：base只乘了s。最后一个频率除以了7.5而不是8（dim = 64）："
    "到了最远处，这一对就超出了训练过的范围。",
)
def unchanged(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _tables(at, _omega(dim, 10000.0 * factor), dtype)


@exercise.misconception(
    en="The fraction is upside down: s to the power (d − 2)/d grows the base even less.",
    zh="分数颠倒了：s的(d − 2)/d次方让base增长得更少。",
)
def upside_down(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _tables(at, _omega(dim, 10000.0 * factor ** ((dim - 2) / dim)), dtype)


@exercise.misconception(
    en="You divided every frequency by s: that is interpolation. NTK-aware scaling leaves the "
    "fastest pair alone.",
    zh="你把每个频率都除以了s：那是位置插值。NTK-aware缩放不动最快的一对。",
)
def interpolation(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _tables(at, _omega(dim) / factor, dtype)


@exercise.misconception(
    en="The exponent 2/(d − 2) belongs to a frequency, not to the base: with it hardly anything "
    "changes.",
    zh="指数2/(d − 2)是单个频率的，不是base的：这样几乎什么都没变。",
)
def exponent_of_a_pair(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _tables(at, _omega(dim, 10000.0 * factor ** (2 / (dim - 2))), dtype)
