"""Exercise clinic_interpolation: an interpolation done twice."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_dtype, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_interpolation",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: a text in slow motion",
        zh="修错：慢动作的文本",
    ),
    task=Text(
        en=r"""Mend `case_15`, position interpolation: every angle is divided by $s$, once.

In: `at` `(L,)`, positions, int64; `dim` even; `factor` is $s\ge1$; `dtype` of the result. Out:
shape `(2, L, dim/2)`, cosines, then sines.""",
        zh=r"""修好`case_15`，即位置插值：每个角度除以$s$，只除一次。

输入：`at`，形状`(L,)`，位置，int64；`dim`为偶数；`factor`就是$s\ge1$；`dtype`是结果的类型。
输出：形状`(2, L, dim/2)`，先余弦，后正弦。""",
    ),
    signature="clinic_interpolation(at, dim, factor=1.0, dtype=torch.float32) -> (2, L, dim/2)",
    points=1,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="At position $1000s$ every pair should stand where it stood at 1000. Does it?",
            zh="在位置$1000s$处，每一对都应站在原先1000的地方。是这样吗？",
        ),
        Text(
            en="Angle = position × frequency. Dividing both by $s$ divides the angle by $s^2$.",
            zh="角度=位置×频率。两个都除以$s$，角度就除以了$s^2$。",
        ),
        Text(
            en="Keep `at[:, None] / factor`, and leave the frequencies alone.",
            zh="留下`at[:, None] / factor`，频率不要动。",
        ),
    ),
)


@exercise.check(en="shape and dtype", zh="形状与dtype")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dtype in (torch.float32, torch.bfloat16):
        got = answer(torch.arange(5), 8, 2.0, dtype)
        expect_dtype(expect_shape(got, (2, 5, 4)), dtype)


@exercise.check(en="position s·p is where p was", zh="位置s·p站在原来p的地方", weight=2)
def stretched(answer: Function, rng: torch.Generator) -> None:
    at = torch.tensor([1, 5, 40])
    for factor in (2, 8):
        far = expect_shape(answer(at * factor, 16, float(factor)), (2, 3, 8))
        expect_close(far, _tables(at, _omega(16), torch.float32), atol=1e-3)


@exercise.check(en="the tables of interpolation", zh="与位置插值的表相同", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    at = torch.tensor([0, 1, 7, 100])
    for dim, factor in ((4, 3.0), (32, 16.0)):
        want = _tables(at, _omega(dim) / factor, torch.float32)
        expect_close(answer(at, dim, factor), want, atol=1e-3)
    expect_close(answer(at, 8), _tables(at, _omega(8), torch.float32), atol=1e-3)


def _tables(at: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
    angles = at[:, None].double() * omega.double()
    return torch.stack((angles.cos(), angles.sin())).to(dtype)


def _omega(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-torch.arange(0, dim, 2).double() / dim)


@exercise.misconception(
    en="Still the broken version: positions *and* frequencies are divided, the angle by s². With "
    "s = 8 a text of 8000 tokens is squeezed into 125.",
    zh="还是有错的那个版本：位置和频率都除了，角度除以了s²。s = 8时，"
    "8000个词元被压进了125个的范围。",
)
def unchanged(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _tables(at, _omega(dim) / factor**2, dtype)


@exercise.misconception(
    en="Now nothing is divided: `factor` has no effect, angles run past what was trained.",
    zh="现在一次也没除：`factor`不起作用，角度超出训练过的范围。",
)
def not_at_all(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _tables(at, _omega(dim), dtype)


@exercise.misconception(
    en="You multiply by s where you should divide: positions are spread, not squeezed.",
    zh="该除的地方你乘了s：位置被拉开，而不是压缩。",
)
def multiplied(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _tables(at, _omega(dim) * factor, dtype)


@exercise.misconception(
    en="You round positions to whole numbers after dividing: neighbours then share a position.",
    zh="除完以后你又把位置取了整：相邻的词元就共用一个位置了。",
)
def whole_positions(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return _tables((at / factor).floor(), _omega(dim), dtype)
