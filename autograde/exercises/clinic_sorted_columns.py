"""Exercise clinic_sorted_columns: sines and cosines that do not alternate."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_sorted_columns",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: a checkpoint from elsewhere",
        zh="修错：别处来的权重",
    ),
    task=Text(
        en=r"""Mend `case_3`: the checkpoint was trained with sine and cosine alternating,
column by column. Add exactly that table.

In: `x` $(B,L,d)$, $d$ even; `mask` $(B,L)$, true at tokens, false at padding in front of them.
Out: $(B,L,d)$; what stands at padding does not matter.""",
        zh=r"""修好`case_3`：这份权重训练时，正弦与余弦逐列交替。请加上同样的编码表。

输入：`x` $(B,L,d)$，$d$为偶数；`mask` $(B,L)$，词元处为真，词元前面的填充处为假。输出：$(B,L,d)$；
填充处是什么都行。""",
    ),
    signature="clinic_sorted_columns(x, mask) -> (B, L, d)",
    points=1,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Give it zeros and print row 1 for `d = 8`. Where do the cosines stand?",
            zh="输入全零，打印`d = 8`时的第1行。余弦在哪几列？",
        ),
        Text(
            en="`stack` makes a new axis. After it, `flatten` reads the last axis fastest.",
            zh="`stack`会新添一个轴；随后`flatten`按最后一个轴变化最快的次序读。",
        ),
        Text(
            en="`torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)`.",
            zh="`torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)`。",
        ),
    ),
)


@exercise.check(en="the shape of x", zh="形状与x相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.zeros(2, 3, 8), torch.ones(2, 3, dtype=torch.bool)), (2, 3, 8))


@exercise.check(
    en="at position 0 sines are 0, cosines 1, in turn",
    zh="位置0处正弦为0、余弦为1，交替出现",
    weight=2,
)
def first_row(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(torch.zeros(1, 1, 8), torch.ones(1, 1, dtype=torch.bool)), (1, 1, 8))
    expect_close(got[0, 0], torch.tensor([0.0, 1.0]).repeat(4))


@exercise.check(en="x plus the interleaved table", zh="等于x加上交错排布的编码表", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for dim in (4, 10, 32):
        x = torch.randn(2, 7, dim, generator=rng)
        mask = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1]]).bool()
        got = expect_shape(answer(x, mask), (2, 7, dim))
        sin, cos = _sin_cos(mask, dim)
        expect_close(got[mask], (x + torch.stack((sin, cos), -1).flatten(2))[mask])


def _sin_cos(mask: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    angles = (mask.cumsum(1) - 1)[..., None] * 10000.0 ** (-torch.arange(0, dim, 2) / dim)
    return angles.sin(), angles.cos()


@exercise.misconception(
    en="Still the broken version: all sines stand first, all cosines behind. Norm, distances and "
    "neighbours are right, but no column holds what the checkpoint expects there.",
    zh="还是有错的那个版本：正弦全在前，余弦全在后。范数、距离、相邻关系都对，"
    "但没有一列是这份权重所要的。",
)
def unchanged(x: Tensor, mask: Tensor) -> Tensor:
    return x + torch.cat(_sin_cos(mask, x.shape[-1]), -1)


@exercise.misconception(
    en="They alternate, but the cosine comes first.",
    zh="确实交替了，但余弦跑到了前面。",
)
def cosine_first(x: Tensor, mask: Tensor) -> Tensor:
    sin, cos = _sin_cos(mask, x.shape[-1])
    return x + torch.stack((cos, sin), -1).flatten(2)


@exercise.misconception(
    en="You alternate by giving even columns the sine and odd ones the cosine of their *own* "
    "index; a pair shares one frequency.",
    zh="你让偶数列取正弦、奇数列取余弦，却各用各的列号；同一对应共用一个频率。",
)
def own_frequency(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    angles = (mask.cumsum(1) - 1)[..., None] * 10000.0 ** (-torch.arange(d) / d)
    return x + torch.where(torch.arange(d) % 2 == 0, angles.sin(), angles.cos())
