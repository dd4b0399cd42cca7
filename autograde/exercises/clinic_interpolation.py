"""Exercise clinic_interpolation: an interpolation done twice."""

import torch
from torch import Tensor

from autograde.exercises._ward_stretching import (
    add_wrong_stretchings,
    interpolated,
    plain,
    positions,
    tables,
)
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_interpolation",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: a text in slow motion",
        zh="修错：慢动作的文本",
    ),
    task=Text(
        en=r"""Mend `case_15`, position interpolation: every angle is divided by $s$, once. And
serve a batch: each row of `at` has positions of its own.

In: `at` `(B, L)`, positions, int64; `dim` even; `factor` is $s\ge1$; `dtype` of the result. Out:
shape `(2, B, L, dim/2)`, cosines, then sines.""",
        zh=r"""修好`case_15`，即位置插值：每个角度除以$s$，只除一次。并且要能处理一个批次：
`at`的每一行各有自己的位置。

输入：`at`，形状`(B, L)`，位置，int64；`dim`为偶数；`factor`就是$s\ge1$；`dtype`是结果的类型。
输出：形状`(2, B, L, dim/2)`，先余弦，后正弦。""",
    ),
    signature="clinic_interpolation(at, dim, factor=1.0, dtype=torch.float32) -> (2, B, L, dim/2)",
    points=1,
    difficulty=1,
    minutes=4,
    broken="divided_twice",
    hints=(
        Text(
            en="At position 1000 s every pair should stand where it stood at 1000. Does it?",
            zh="在位置1000 s处，每一对的角度都应等于原先位置1000的。是这样吗？",
        ),
        Text(
            en="Angle = position × frequency. Dividing both by s divides the angle by s².",
            zh="角度=位置×频率。两个都除以s，角度就除以了s²。",
        ),
        Text(
            en="One of the two divisions is enough. Which of them you keep makes no difference. "
            "`at[..., None]` puts an axis behind the last, whatever stands before it.",
            zh="两处除法留一处就够，留哪一处都一样。`at[..., None]`在最后加一维，前面有几维都行。",
        ),
    ),
)


@exercise.truth
def angles_divided_once(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return the tables of position interpolation, with angles in float64."""
    return tables(at, interpolated(dim, factor), dtype)


A_STEP = 2**-8  # of bfloat16 below 1: two roundings of nearly the same number


def _rows(rng: torch.Generator, below: int) -> Tensor:
    return torch.stack((positions(rng, below), positions(rng, below)))


@exercise.check(en="shape and dtype", zh="形状与dtype")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dtype, length, dim in (
        (torch.float32, 5, 8),
        (torch.bfloat16, 1, 4),
        (torch.float16, 3, 6),
    ):
        got = answer(torch.arange(3 * length).view(3, length), dim, 2.0, dtype)
        expect_dtype(expect_shape(got, (2, 3, length, dim // 2)), dtype)


@exercise.check(en="position s·p is where p was", zh="位置s·p的角度等于原来p的", weight=2)
def stretched(answer: Function, rng: torch.Generator) -> None:
    at = _rows(rng, 60)
    for factor in (8, 2):
        far = expect_shape(answer(at * factor, 16, float(factor)), (2, *at.shape, 8))
        expect_close(far, tables(at, plain(16), torch.float32), atol=1e-3)


@exercise.check(en="the tables of interpolation", zh="与位置插值的表相同", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    stretch = 1.25 + 9 * float(torch.rand((), generator=rng))
    for dim, factor in ((32, 16.0), (4, 3), (130, stretch), (2, 2.0)):
        at = _rows(rng, 400)
        at[-1, -1] = 2051  # no number of float16
        expect_agreement(answer, exercise.true_answer, at, dim, factor, atol=1e-3)
    expect_agreement(answer, exercise.true_answer, torch.arange(3)[None], 8)
    far = _rows(rng, 400)
    far[0, :2] = torch.tensor([257, 399])
    expect_agreement(answer, exercise.true_answer, far, 32, stretch, torch.bfloat16, atol=A_STEP)


add_wrong_stretchings(exercise, interpolated)
