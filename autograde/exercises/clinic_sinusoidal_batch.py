"""Exercise clinic_sinusoidal_batch: rows that depend on who else is in the batch."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_sinusoidal_batch",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: a sentence that minds its company",
        zh="修错：看同伴脸色的句子",
    ),
    task=Text(
        en=r"""Mend `case_4`: each sentence of a batch, padded on the left, gets the positions
0, 1, 2, … of its own tokens, whoever else is in the batch. The encoding is that of case 1.

In: `x` $(B,L,d)$, $d$ even; `mask` $(B,L)$, true at tokens, false at padding in front of them.
Out: $(B,L,d)$; what stands at padding does not matter.""",
        zh=r"""修好`case_4`：批里的每句话（左填充）按自己的词元编号0、1、2……，与同批的其他句子无关。
编码与病例1相同。

输入：`x` $(B,L,d)$，$d$为偶数；`mask` $(B,L)$，词元处为真，词元前面的填充处为假。输出：$(B,L,d)$；
填充处是什么都行。""",
    ),
    signature="clinic_sinusoidal_batch(x, mask) -> (B, L, d)",
    points=1,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Print the positions for a batch of three whole sentences.",
            zh="打印三个完整句子组成的一批的位置。",
        ),
        Text(
            en="`mask` is $(B,L)$: along which axis does a sentence run?",
            zh="`mask`的形状是$(B,L)$：句子沿哪个轴走？",
        ),
        Text(
            en="`mask.cumsum(1) - 1`.",
            zh="`mask.cumsum(1) - 1`。",
        ),
    ),
)


@exercise.check(en="the shape of x", zh="形状与x相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.zeros(4, 3, 6), torch.ones(4, 3, dtype=torch.bool)), (4, 3, 6))


@exercise.check(en="a sentence alone is as in a batch", zh="单独一句与放在批里一样", weight=2)
def alone(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(3, 6, 8, generator=rng)
    mask = torch.tensor([[1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1]]).bool()
    together = expect_shape(answer(x, mask), (3, 6, 8))
    for row in range(3):
        single = expect_shape(answer(x[row : row + 1], mask[row : row + 1]), (1, 6, 8))
        expect_close(together[row][mask[row]], single[0][mask[row]].detach().clone())
    spread = (together - x)[0].std(dim=0).max()
    expect(bool(spread > 0.1), "every token got the same row", "所有词元得到的是同一行")


@exercise.check(en="each row counts its own tokens", zh="每一行数自己的词元", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for dim in (4, 16):
        x = torch.randn(3, 5, dim, generator=rng)
        mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 1, 1]]).bool()
        got = expect_shape(answer(x, mask), (3, 5, dim))
        expect_close(got[mask], _encoded(x, mask.cumsum(1) - 1)[mask])


def _encoded(x: Tensor, at: Tensor) -> Tensor:
    d = x.shape[-1]
    angles = at[..., None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
    return x + torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)


@exercise.misconception(
    en="Still the broken version: it counts down the batch, so a token's position is the number of "
    "sentences above it.",
    zh="还是有错的那个版本：它沿着批往下数，词元的位置成了它上方的句子数。",
)
def unchanged(x: Tensor, mask: Tensor) -> Tensor:
    return _encoded(x, mask.cumsum(0) - 1)


@exercise.misconception(
    en="The axis is right, the start is not: the first token stands at 1.",
    zh="轴对了，起点不对：第一个词元成了位置1。",
)
def from_one(x: Tensor, mask: Tensor) -> Tensor:
    return _encoded(x, mask.cumsum(1))


@exercise.misconception(
    en="You count columns, padding included: a sentence of 3 tokens behind 2 of padding begins "
    "at 2.",
    zh="你数的是列，把填充也数进去了：2格填充后面的句子从2开始。",
)
def columns(x: Tensor, mask: Tensor) -> Tensor:
    return _encoded(x, torch.arange(x.shape[1]).expand(mask.shape))


@exercise.misconception(
    en="You count on through the batch: the second sentence goes on where the first stopped.",
    zh="你在整批里一路数下去：第二句接着第一句往后数。",
)
def runs_on(x: Tensor, mask: Tensor) -> Tensor:
    return _encoded(x, (mask.flatten().cumsum(0) - 1).view(mask.shape))
