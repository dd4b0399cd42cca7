"""Exercise mend_arithmetic_slopes: slopes in equal steps."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="mend_arithmetic_slopes",
    chapter="07_linear_bias",
    title=Text(en="Mend: heads that all look equally far", zh="修错：看得一样远的头"),
    task=Text(
        en=r"""Mend `equal_steps` so that the slopes of `heads` heads, a power of two, form the
geometric sequence of the paper: from $2^{-8/H}$ to $2^{-8}$.

In: `heads`, a power of two. Out: shape `(heads,)`.""",
        zh=r"""修好`equal_steps`，使`heads`个头（2的幂）的斜率成为论文里的等比数列：
从$2^{-8/H}$到$2^{-8}$。

输入：`heads`，2的幂。输出：形状为`(heads,)`。""",
    ),
    signature="mend_arithmetic_slopes(heads) -> (heads,)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="The reach of a head is about 7/m tokens. What should the reaches look like?",
            zh="一个头大约能看到7/m个词元那么远。各个头的视野应该怎样分布？",
        ),
        Text(
            en="Each slope is the one before times the same factor.",
            zh="每个斜率都是前一个乘以同一个因子。",
        ),
        Text(en="The factor is `2 ** (-8 / heads)`.", zh="这个因子是`2 ** (-8 / heads)`。"),
    ),
)


@exercise.check(en="one slope for each head", zh="每个头一个斜率")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(8), (8,))


@exercise.check(en="the quotient of neighbours is constant", zh="相邻两个之比不变", weight=2)
def geometric(answer: Function, rng: torch.Generator) -> None:
    slopes = expect_shape(answer(16), (16,)).double()
    quotients = slopes[1:] / slopes[:-1]
    expect(
        bool((quotients - quotients[0]).abs().max() < 1e-5),
        "the quotients of neighbours differ: this is no geometric sequence",
        "相邻两个之比不一样：这不是等比数列",
    )


@exercise.check(en="equals the paper's", zh="与论文一致", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for heads in (8, 1, 2, 32):
        want = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
        expect_close(answer(heads), want, atol=1e-7)


@exercise.misconception(
    en="Still the broken version: the slopes rise in equal steps, so the *first* head sees "
    "furthest and more than half of the heads see less than 14 tokens.",
    zh="还是有错的那个版本：斜率等差上升，看得最远的成了*第一个*头，一半以上的头看不到14个词元远。",
)
def unchanged(heads: int) -> Tensor:
    return torch.arange(1, heads + 1) / heads


@exercise.misconception(
    en="Geometric, but from 1: the first exponent is −8/H, not 0.",
    zh="是等比了，但从1开始：第一个指数应是−8/H，不是0。",
)
def from_one(heads: int) -> Tensor:
    return 2.0 ** (-8 * torch.arange(heads) / heads)


@exercise.misconception(
    en="Halved at each head whatever H: right for 8 heads only. The factor depends on H, "
    "so that the last slope is 1/256 for every H.",
    zh="不管H是多少，每个头都减半：只有8个头时才对。因子要随H变，使最后一个斜率对每个H都是1/256。",
)
def always_halved(heads: int) -> Tensor:
    return 0.5 ** torch.arange(1, heads + 1)


@exercise.misconception(
    en="The order is reversed: it is the first head that should have the steepest slope.",
    zh="次序反了：最陡的斜率应当给第一个头。",
)
def reversed_order(heads: int) -> Tensor:
    return (2.0 ** (-8 * torch.arange(1, heads + 1) / heads)).flip(0)


@exercise.misconception(
    en="Both ends are right, but between them the steps are equal again. In a geometric sequence "
    "the quotients of neighbours are equal.",
    zh="首尾都对，可中间又是等差了。等比数列是相邻两个之*比*相等。",
)
def equal_steps_between(heads: int) -> Tensor:
    return torch.linspace(2.0 ** (-8 / heads), 2.0**-8, heads)
