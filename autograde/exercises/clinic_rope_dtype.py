"""Exercise clinic_rope_dtype: positions rounded before they are multiplied."""

import torch
from torch import Tensor

from autograde.exercises._ward_stretching import (
    add_wrong_stretchings,
    as_programs_do,
    interpolated,
    positions,
    tables,
)
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_dtype, expect_finite, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_rope_dtype",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: a text that climbs in steps",
        zh="改错：一级一级跳的文本",
    ),
    task=Text(
        en=r"""Fix `case_16`: the tables of interpolated RoPE for a model that runs in `dtype`,
each number right up to one rounding to `dtype`, for positions up to 4000. For a result of 32 bits,
angles in float32 are not exact enough.

In: `at` `(L,)`, positions, int64; `dim` even; `factor` is $s\ge1$; `dtype` of the result, 16 or 32
bits. Out: shape `(2, L, dim/2)`, cosines, then sines.""",
        zh=r"""修好`case_16`：为以`dtype`运行的模型做插值RoPE的表，位置到4000为止，
每个数至多只有舍入到`dtype`的那一次误差；结果是32位时，角度用float32达不到这个要求。

输入：`at`，形状`(L,)`，位置，int64；`dim`为偶数；`factor`就是$s\ge1$；`dtype`是结果的类型，
16或32位。输出：形状`(2, L, dim/2)`，先余弦，后正弦。""",
    ),
    signature="clinic_rope_dtype(at, dim, factor=1.0, dtype=torch.float32) -> (2, L, dim/2)",
    points=1,
    difficulty=2,
    minutes=5,
    broken="rounded_positions",
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
            en="float32 has 24: around 4000 radians its numbers are 1/4096 apart. Compute in "
            "float64, call `.to(dtype)` on the finished cosines and sines.",
            zh="float32有24位：4000弧度附近，相邻两个数相差1/4096。"
            "请用float64计算，最后对算好的余弦和正弦调用`.to(dtype)`。",
        ),
    ),
)


@exercise.truth
def rounded_once(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return the tables of position interpolation, with angles in float64."""
    return tables(at, interpolated(dim, factor), dtype)


HALF_A_STEP = {torch.bfloat16: 2**-9, torch.float16: 2**-12, torch.float32: 2**-25}  # below 1


def _expect_rounded_once(
    answer: Function, at: Tensor, dim: int, factor: float, dtype: torch.dtype, angle: float
) -> None:
    """Compare with the exact number; angle: how far the angle may be off, from rounding it."""
    got = expect_dtype(answer(at, dim, factor, dtype), dtype)
    exact = exercise.true_answer(at, dim, factor, torch.float64)
    expect_close(got, exact, rtol=0.0, atol=HALF_A_STEP[dtype] + angle)


@exercise.check(en="shape and dtype", zh="形状与dtype")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dtype, length, dim in (
        (torch.float32, 5, 8),
        (torch.bfloat16, 1, 4),
        (torch.float16, 3, 6),
    ):
        got = answer(torch.arange(length), dim, 2.0, dtype)
        expect_dtype(expect_shape(got, (2, length, dim // 2)), dtype)


@exercise.check(en="neighbours differ, even far out", zh="很远处的相邻位置也不相同", weight=2)
def neighbours(answer: Function, rng: torch.Generator) -> None:
    first = int(torch.randint(1000, 3900, (), generator=rng))
    at = torch.arange(first, first + 40)
    got = expect_finite(answer(at, 16, 1.0, torch.bfloat16), (2, 40, 8)).float()
    gap = (got[:, 1:] - got[:, :-1]).abs().amax((0, 2))
    equal = int((gap == 0).sum())
    expect(
        equal == 0,
        f"{equal} of 39 pairs of neighbours from {first} on have the same row",
        f"从{first}起的39对相邻位置中，有{equal}对的行相同",
    )


@exercise.check(
    en="one rounding away from the right number, near 0", zh="0附近：与正确的数只差一次舍入"
)
def near(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, exercise.true_answer, torch.arange(3), 8)
    stretch = 1.25 + 9 * float(torch.rand((), generator=rng))
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        _expect_rounded_once(answer, torch.arange(60), 34, 1.0, dtype, angle=2e-5)
        _expect_rounded_once(answer, positions(rng, 60), 2, stretch, dtype, angle=2e-5)


@exercise.check(en="one rounding away, even far out", zh="很远处也只差一次舍入", weight=2)
def far(answer: Function, rng: torch.Generator) -> None:
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        for dim, factor in ((130, 4.0), (8, 1.0), (8, 1.3)):
            at = torch.cat((positions(rng, 4000), torch.tensor([257, 3999])))
            _expect_rounded_once(answer, at, dim, factor, dtype, angle=2e-5)


@exercise.misconception(
    en="Your angles are no better than float32, whose numbers are 1/4096 apart around 4000 "
    "radians. Frequencies, the division by s, the product, what `cos` and `sin` take: all of it in "
    "float64. Round the finished cosines and sines alone.",
    zh="你的角度只有float32的精度：4000弧度附近，相邻两个数相差1/4096。频率、除以s、相乘，"
    "直到交给`cos`和`sin`的角度，全程都要用float64；要舍入的只有算好的余弦和正弦。",
)
def angles_in_float32(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return as_programs_do(at, interpolated(dim, factor), dtype)


add_wrong_stretchings(exercise)


@exercise.misconception(
    en="Positions went through float16, whatever `dtype` is: beyond 2048 only even numbers are "
    "left.",
    zh="不管`dtype`是什么，位置都先经过了float16：2048以上只剩偶数。",
)
def positions_through_float16(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return as_programs_do(at.half(), interpolated(dim, factor), dtype)
