"""Exercise clinic_alibi_slopes: slopes that begin one head too early."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
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
            en="The exponents are −8h/H with h = 1, …, H: the last is −8, whatever H is.",
            zh="指数是−8h/H，h = 1、……、H：不管H是多少，最后一个都是−8。",
        ),
    ),
)


@exercise.truth
def slopes_times_distance(length: int, heads: int) -> Tensor:
    """Return -2^(-8h/H) |i - j| for h = 1, …, H."""
    return _bias(length, 2.0 ** (-8 * torch.arange(1, heads + 1) / heads))


def _bias(length: int, slopes: Tensor) -> Tensor:
    at = torch.arange(length)
    return -slopes[:, None, None] * (at[:, None] - at).abs()


@exercise.check(en="one matrix for each head", zh="每个头一个矩阵")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, heads in ((5, 4), (1, 1)):
        expect_shape(answer(length, heads), (heads, length, length))


@exercise.check(en="the last head loses 1/256 per token", zh="最后一个头每个词元扣1/256", weight=2)
def last(answer: Function, rng: torch.Generator) -> None:
    for heads in (8, 2, 16, 1):
        got = expect_shape(answer(2, heads), (heads, 2, 2))
        expect_close(got[-1, 1], torch.tensor([-1.0, 0.0]) / 256)


@exercise.check(en="equals −m |i − j| in every head", zh="每个头都等于−m |i − j|", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    length, power = torch.randint(3, 40, (2,), generator=rng).tolist()
    for heads, size in ((8, length), (2 ** (power % 6), 7), (16, 130), (1, 3)):
        expect_agreement(answer, exercise.true_answer, size, heads)


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
    en="You divide by H − 1, so the first slope is 1 and a single head divides by 0. The paper "
    "divides by H and begins at head 1.",
    zh="你除的是H − 1：第一个斜率成了1，只有一个头时还会除以0。论文除以H，从第1个头算起。",
)
def one_head_fewer(length: int, heads: int) -> Tensor:
    return _bias(length, 2.0 ** (-8 * torch.arange(heads) / (heads - 1)))


@exercise.misconception(
    en="The exponents run from −1 to −8 whatever H is: right for 8 heads only.",
    zh="不管H是多少，指数都从−1走到−8：只有8个头时才对。",
)
def from_one_to_eight(length: int, heads: int) -> Tensor:
    return _bias(length, 2.0 ** -torch.linspace(1, 8, heads))


@exercise.misconception(
    en="The distance has a sign: keys ahead are rewarded. ALiBi takes |i − j|.",
    zh="距离带了符号：后面的键反而加分。ALiBi取|i − j|。",
)
def with_a_sign(length: int, heads: int) -> Tensor:
    at = torch.arange(length)
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    return -slopes[:, None, None] * (at[:, None] - at)


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


@exercise.misconception(
    en="You divide by H + 1: the slopes end before 1/256. The paper divides by H, and the last "
    "head is H itself.",
    zh="你除的是H + 1：斜率没走到1/256。论文除以H，最后一个头就是第H个。",
)
def one_head_more(length: int, heads: int) -> Tensor:
    return _bias(length, 2.0 ** (-8 * torch.arange(1, heads + 1) / (heads + 1)))


@exercise.misconception(
    en="The slopes are in the reverse order: the first head is the steepest.",
    zh="斜率的次序反了：第一个头应当最陡。",
)
def last_head_first(length: int, heads: int) -> Tensor:
    return slopes_times_distance(length, heads).flip(0)


@exercise.misconception(
    en="Brackets are missing: the 1 is divided alone, `h + 1 / H`. Heads are counted from 1, so it "
    "is `(h + 1) / H`.",
    zh="少了括号：`h + 1 / H`里只有1被除了。头从1数起，所以是`(h + 1) / H`。",
)
def one_divided_alone(length: int, heads: int) -> Tensor:
    return _bias(length, 2.0 ** (-8 * torch.arange(heads) + 1 / heads))


@exercise.misconception(
    en="The exponents end one step too early, at −8 + 8/H: the last one is −8, that of head H.",
    zh="指数早停了一步，停在−8 + 8/H：最后一个是−8，属于第H个头。",
)
def ends_one_step_early(length: int, heads: int) -> Tensor:
    return _bias(length, 2.0 ** -torch.linspace(8 / heads, 8 - 8 / heads, heads))


@exercise.misconception(
    en="The exponent was divided with `//`: with more than 8 heads several share a slope. Divide "
    "with `/`.",
    zh="指数用`//`来除了：头多于8个时，几个头会共用一个斜率。要用`/`。",
)
def whole_exponents(length: int, heads: int) -> Tensor:
    return _bias(length, 2.0 ** -(8 * torch.arange(1, heads + 1) // heads))
