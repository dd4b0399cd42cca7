"""Exercise clinic_ntk_base: a base that grows too little."""

import torch
from torch import Tensor

from autograde.exercises._ward_stretching import (
    Frequencies,
    add_wrong_stretchings,
    ntk_aware,
    plain,
    positions,
    tables,
    with_base,
)
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_ntk_base",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: the slowest pair goes too far",
        zh="修错：最低频的一对走过了头",
    ),
    task=Text(
        en=r"""Mend `case_14`, NTK-aware scaling: change the base so that the fastest pair keeps
frequency 1 and the slowest is divided by exactly $s$.

In: `at` `(L,)`, positions, int64; `dim` even, at least 4; `factor` is $s\ge1$; `dtype` of the
result. Out: shape `(2, L, dim/2)`, cosines, then sines.""",
        zh=r"""修好`case_14`，即NTK-aware缩放：改变base，使最高频的一对频率仍为1，最低频的一对恰好除以$s$。

输入：`at`，形状`(L,)`，位置，int64；`dim`为偶数，至少为4；`factor`就是$s\ge1$；`dtype`是结果的类型。
输出：形状`(2, L, dim/2)`，先余弦，后正弦。""",
    ),
    signature="clinic_ntk_base(at, dim, factor=1.0, dtype=torch.float32) -> (2, L, dim/2)",
    points=1,
    difficulty=3,
    minutes=6,
    broken="base_times_s",
    hints=(
        Text(
            en="By what is the last frequency divided for `dim = 64` and s = 8? Not quite by 8.",
            zh="`dim = 64`、s = 8时，最后一个频率被除以了多少？并不正好是8。",
        ),
        Text(
            en="The last frequency is the base to the power −(d − 2)/d. What becomes of it when "
            "the base grows by a factor c?",
            zh="最后一个频率是base的−(d − 2)/d次方。base乘以c之后，它变成多少？",
        ),
        Text(
            en="It is divided by c to the power (d − 2)/d, and that must be s. So c is a power of "
            "`factor`, with an exponent a little above 1.",
            zh="它被除以c的(d − 2)/d次方，而这必须等于s。所以c是`factor`的某次方，指数比1略大。",
        ),
    ),
)


@exercise.truth
def last_pair_divided_by_s(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return the tables of NTK-aware scaling, with angles in float64."""
    return tables(at, ntk_aware(dim, factor), dtype)


A_STEP = 2**-8  # of bfloat16 below 1: two roundings of nearly the same number


@exercise.check(en="shape and dtype", zh="形状与dtype")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dtype, length, dim in (
        (torch.float32, 5, 8),
        (torch.bfloat16, 1, 4),
        (torch.float16, 3, 6),
    ):
        got = answer(torch.arange(length), dim, 2.0, dtype)
        expect_dtype(expect_shape(got, (2, length, dim // 2)), dtype)


@exercise.check(en="the slowest pair is divided by s", zh="最低频的一对恰好除以s", weight=2)
def slowest(answer: Function, rng: torch.Generator) -> None:
    for dim, factor in ((64, 8.0), (8, 4.0)):
        far = torch.tensor([1000 * int(factor)])
        got = expect_shape(answer(far, dim, factor), (2, 1, dim // 2))
        trained = tables(torch.tensor([1000]), plain(dim), torch.float32)
        expect_close(got[:, :, -1], trained[:, :, -1], atol=2e-3)


@exercise.check(en="the tables of NTK-aware scaling", zh="与NTK-aware缩放的表相同", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    stretch = 1.25 + 9 * float(torch.rand((), generator=rng))
    for dim, factor in ((64, 8.0), (6, 2), (130, stretch), (4, 16.0)):
        at = torch.cat((positions(rng, 400), torch.tensor([2051])))  # no number of float16
        expect_agreement(answer, exercise.true_answer, at, dim, factor, atol=1e-3)
    expect_agreement(answer, exercise.true_answer, torch.arange(3), 16)
    far = torch.cat((positions(rng, 400), torch.tensor([257, 399])))
    expect_agreement(answer, exercise.true_answer, far, 32, 4.0, torch.bfloat16, atol=A_STEP)


@exercise.misconception(
    en="The fraction is upside down: s to the power (d − 2)/d grows the base even less.",
    zh="分数颠倒了：s的(d − 2)/d次方让base增长得更少。",
)
def upside_down(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return tables(at, with_base(dim, 10000.0 * factor ** ((dim - 2) / dim)), dtype)


@exercise.misconception(
    en="The exponent 2/(d − 2) belongs to a frequency, not to the base: with it hardly anything "
    "changes.",
    zh="指数2/(d − 2)是单个频率的，不是base的：这样几乎什么都没变。",
)
def exponent_of_a_pair(
    at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    return tables(at, with_base(dim, 10000.0 * factor ** (2 / (dim - 2))), dtype)


add_wrong_stretchings(exercise, ntk_aware)


def _add(en: str, zh: str, name: str, omega: Frequencies) -> None:
    def answer(
        at: Tensor, dim: int, factor: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Tensor:
        return tables(at, omega(dim, factor), dtype)

    answer.__name__ = name
    exercise.misconception(en=en, zh=zh)(answer)


_add(
    "The base is right, and positions are divided by s as well: NTK-aware scaling *and* "
    "interpolation, so that the last pair turns s² times slower.",
    "base是对的，但位置又除以了s：NTK-aware缩放和位置插值都用上了，最后一对慢了s²倍。",
    "interpolated_as_well",
    lambda dim, factor: ntk_aware(dim, factor) / factor,
)
_add(
    "Brackets are missing: `s ** dim / (dim - 2)` is the power of dim, divided afterwards. The "
    "fraction belongs in the exponent: `s ** (dim / (dim - 2))`.",
    "少了括号：`s ** dim / (dim - 2)`是先取dim次方再除。整个分数都要放进指数：`s ** (dim / (dim - "
    "2))`。",
    "exponent_without_brackets",
    lambda dim, factor: with_base(dim, 10000.0 * factor**dim / (dim - 2)),
)
_add(
    "The whole product was raised to the power, 10000 as well: even with s = 1 the base grows. "
    "Only s is raised: `10000 * s ** (d / (d - 2))`.",
    "整个乘积都取了幂，连10000也在内：s = 1时base也会变大。只有s取幂：`10000 * s ** (d / (d - "
    "2))`。",
    "base_raised_too",
    lambda dim, factor: with_base(dim, (10000.0 * factor) ** (dim / (dim - 2))),
)
_add(
    "The exponent d/(d − 1) divides the last frequency by a little less than s. There are d/2 "
    "pairs, and the last has i = d/2 − 1: hence d − 2.",
    "指数d/(d − 1)让最后一个频率除以的数略小于s。一共d/2对，最后一对是i = d/2 − 1：所以是d − 2。",
    "one_less",
    lambda dim, factor: with_base(dim, 10000.0 * factor ** (dim / (dim - 1))),
)
_add(
    "The exponent is that of 64 channels, 64/62, whatever `dim` is.",
    "不管`dim`是多少，你用的都是64个通道的指数64/62。",
    "exponent_of_64_channels",
    lambda dim, factor: with_base(dim, 10000.0 * factor ** (64 / 62)),
)


def _last_divided(dim: int, factor: float) -> Tensor:
    return torch.cat((plain(dim)[:-1], plain(dim)[-1:] / factor))


_add(
    "Only the last pair was divided by s. With another base all pairs but the first become slower, "
    "each by more than the one before it.",
    "你只把最后一对除以了s。换base以后，除第一对外每一对都变慢，而且一对比一对慢得多。",
    "last_pair_alone",
    _last_divided,
)
