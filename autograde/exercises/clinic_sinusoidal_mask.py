"""Exercise clinic_sinusoidal_mask: frequencies that rise from pair to pair."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_sinusoidal_mask",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: neighbours that have nothing in common",
        zh="修错：毫不相像的邻居",
    ),
    task=Text(
        en=r"""Mend `case_1`: add the interleaved sinusoidal encoding of the paper to `x`.
Positions are counted from the mask, from 0 at the first token of each row.

In: `x` $(B,L,d)$, $d$ even; `mask` $(B,L)$, true at tokens, false at padding in front of them.
Out: $(B,L,d)$; what stands at padding does not matter.""",
        zh=r"""修好`case_1`：给`x`加上论文里交错排布的正弦编码。位置由掩码数出，每一行的第一个词元是0。

输入：`x` $(B,L,d)$，$d$为偶数；`mask` $(B,L)$，词元处为真，词元前面的填充处为假。输出：$(B,L,d)$；
填充处是什么都行。""",
    ),
    signature="clinic_sinusoidal_mask(x, mask) -> (B, L, d)",
    points=1,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="Print the frequencies for `d = 4`. By how many radians does each pair turn from "
            "one token to the next?",
            zh="打印`d = 4`时的频率。从一个词元到下一个，每一对转过多少弧度？",
        ),
        Text(
            en="The first pair is the fastest, 1 radian a token; all others are slower.",
            zh="第一对最快，每个词元1弧度，其余各对都更慢。",
        ),
        Text(
            en="The exponent is $-2i/d$: `10000.0 ** (-torch.arange(0, d, 2) / d)`.",
            zh="指数是$-2i/d$：`10000.0 ** (-torch.arange(0, d, 2) / d)`。",
        ),
    ),
)


@exercise.check(en="the shape of x", zh="形状与x相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.zeros(2, 5, 6), torch.ones(2, 5, dtype=torch.bool)), (2, 5, 6))


@exercise.check(en="neighbouring rows are similar", zh="相邻的行彼此相像", weight=2)
def neighbours(answer: Function, rng: torch.Generator) -> None:
    whole = torch.ones(1, 9, dtype=torch.bool)
    rows = expect_shape(answer(torch.zeros(1, 9, 64), whole), (1, 9, 64))[0]
    near = torch.nn.functional.cosine_similarity(rows[1:], rows[:-1])
    expect(
        bool((near > 0.9).all()),
        f"two neighbours have a cosine similarity of only {near.min():.2f}, expected 0.97",
        f"有两个相邻位置的余弦相似度只有{near.min():.2f}，应为0.97",
    )


@exercise.check(en="x plus the table of the paper", zh="等于x加上论文中的编码表", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for dim in (6, 2, 32):
        x = torch.randn(2, 5, dim, generator=rng)
        mask = torch.tensor([[1, 1, 1, 1, 1], [0, 0, 1, 1, 1]]).bool()
        got = expect_shape(answer(x, mask), (2, 5, dim))
        expect_close(got[mask], (x + _table(_positions(mask), dim))[mask])


def _positions(mask: Tensor) -> Tensor:
    return mask.cumsum(1) - 1  # of the tokens; padding in front of them gets -1


def _table(at: Tensor, dim: int) -> Tensor:
    angles = at[..., None].double() * 10000.0 ** (-torch.arange(0, dim, 2).double() / dim)
    return torch.stack((angles.sin(), angles.cos()), -1).flatten(-2).float()


def _encoded(x: Tensor, mask: Tensor, omega: Tensor) -> Tensor:
    angles = _positions(mask)[..., None] * omega
    return x + torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)


@exercise.misconception(
    en="Still the broken version: the exponent is positive, so the last pair turns by thousands of "
    "radians a token.",
    zh="还是有错的那个版本：指数是正的，最后一对每个词元要转几千弧度。",
)
def unchanged(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, 10000.0 ** (torch.arange(0, d, 2) / d))


@exercise.misconception(
    en="You turned the order round: 10000 is the slowest pair's job, the first pair has frequency "
    "1. Change the sign of the exponent, nothing else.",
    zh="你把次序倒过来了：最慢的应是最后一对，第一对的频率是1。只要改指数的正负号。",
)
def reversed_order(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, (10000.0 ** (-torch.arange(0, d, 2) / d)).flip(0))


@exercise.misconception(
    en="The sign is right, the factor 2 is lost: `torch.arange(0, d, 2)` already counts 0, 2, 4, "
    "…; yours counts 0, 1, 2, ….",
    zh="正负号对了，却丢了因子2：`torch.arange(0, d, 2)`数的是0、2、4……，你数的是0、1、2……。",
)
def half_the_exponent(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, 10000.0 ** (-torch.arange(d // 2) / d))


@exercise.misconception(
    en="The minus stands in front of the power, not in the exponent: frequencies still rise to "
    "thousands, and every pair turns backwards.",
    zh="负号放到了整个幂的前面，而不是指数里：频率照样升到几千，每一对还都反着转。",
)
def minus_outside(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, -(10000.0 ** (torch.arange(0, d, 2) / d)))


@exercise.misconception(
    en="The sign is right, the factor 2 counts twice: `torch.arange(0, d, 2)` is 2i already.",
    zh="正负号对了，因子2却算了两次：`torch.arange(0, d, 2)`本身已是2i。",
)
def twice_the_exponent(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, 10000.0 ** (-2 * torch.arange(0, d, 2) / d))
