"""Exercise clinic_alibi_slopes: slopes that begin one head too early."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_alibi_slopes",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: heads one step too strict",
        zh="修错：每个头都严了一级",
    ),
    task=Text(
        en=r"""Mend `case_10`: ALiBi's bias $-m_h\,|i-j|$ with the slopes of the paper for $H$
heads, a power of 2: $2^{-8/H}$ for the first head, $2^{-8}$ for the last.

In: `length`, `heads`. Out: shape `(heads, length, length)`.""",
        zh=r"""修好`case_10`：ALiBi的偏置$-m_h\,|i-j|$，斜率按论文：$H$个头（2的幂），第一个头$2^{-8/H}$，
最后一个$2^{-8}$。

输入：`length`、`heads`。输出：形状为`(heads, length, length)`。""",
    ),
    signature="clinic_alibi_slopes(length, heads) -> (heads, length, length)",
    points=1,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="Print the slopes for 8 heads and compare the first and the last with the paper.",
            zh="打印8个头的斜率，把第一个和最后一个与论文对照。",
        ),
        Text(
            en="Papers count heads from 1, `torch.arange` from 0.",
            zh="论文里的头从1数起，`torch.arange`从0数起。",
        ),
        Text(
            en="`2.0 ** (-8 * torch.arange(1, heads + 1) / heads)`.",
            zh="`2.0 ** (-8 * torch.arange(1, heads + 1) / heads)`。",
        ),
    ),
)


@exercise.check(en="one matrix for each head", zh="每个头一个矩阵")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(5, 4), (4, 5, 5))


@exercise.check(en="the last head loses 1/256 a token", zh="最后一个头每个词元扣1/256", weight=2)
def last(answer: Function, rng: torch.Generator) -> None:
    for heads in (1, 2, 8, 16):
        got = expect_shape(answer(3, heads), (heads, 3, 3))
        expect_close(got[-1, 2], torch.tensor([-2.0, -1.0, 0.0]) / 256)


@exercise.check(en="equals $-m_h\\,|i-j|$ in every head", zh="每个头都等于$-m_h\\,|i-j|$", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for heads in (2, 4, 8):
        got = expect_shape(answer(6, heads), (heads, 6, 6))
        want = [
            [[-(2.0 ** (-8 * h / heads)) * abs(i - j) for j in range(6)] for i in range(6)]
            for h in range(1, heads + 1)
        ]
        expect_close(got, torch.tensor(want))


def _bias(length: int, slopes: Tensor) -> Tensor:
    at = torch.arange(length)
    return -slopes[:, None, None] * (at[:, None] - at).abs()


@exercise.misconception(
    en="Still the broken version: heads are counted from 0. With 8 heads the slopes are 1 … 1/128 "
    "instead of 1/2 … 1/256, twice too steep.",
    zh="还是有错的那个版本：头从0数起。8个头的斜率成了1到1/128，应为1/2到1/256，陡了一倍。",
)
def unchanged(length: int, heads: int) -> Tensor:
    return _bias(length, 2.0 ** (-8 * torch.arange(heads) / heads))


@exercise.misconception(
    en="The ends are right, the steps are not: slopes in equal steps, not in equal ratios.",
    zh="两端对了，中间不对：斜率成了等差，应为等比。",
)
def arithmetic(length: int, heads: int) -> Tensor:
    return _bias(length, torch.linspace(2.0 ** (-8 / heads), 2.0**-8, heads))


@exercise.misconception(
    en="You halve from head to head whatever H is: right for 8 heads only.",
    zh="不管H是多少，你都逐头减半：只有8个头时才对。",
)
def always_halved(length: int, heads: int) -> Tensor:
    return _bias(length, 0.5 ** torch.arange(1, heads + 1))


@exercise.misconception(
    en="The slopes are right; the sign is lost, and far keys are rewarded.",
    zh="斜率对了，负号丢了：离得越远反而加分越多。",
)
def rewarded(length: int, heads: int) -> Tensor:
    return -_bias(length, 2.0 ** (-8 * torch.arange(1, heads + 1) / heads))
