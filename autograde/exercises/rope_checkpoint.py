"""Exercise rope_checkpoint: move a projection from one layout to the other."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="rope_checkpoint",
    chapter="05_rope",
    title=Text(en="Convert a checkpoint", zh="转换一份权重"),
    task=Text(
        en=r"""Reorder the rows of a query or key projection so that a model with the half-split
layout gives the scores that the interleaved one gave. In every head, row $2i$ moves to $i$ and row
$2i+1$ to $i+D/2$.

In: `weight` of shape `(heads * D, d)`, as in `nn.Linear` ($y=Wx$), and `heads`. Out: the same
rows in the new order.""",
        zh=r"""重排查询或键的投影矩阵的行，使前后半排布的模型得到与交错排布相同的得分。
在每个头之内，第$2i$行移到$i$，第$2i+1$行移到$i+D/2$。

输入：`weight`形状为`(heads * D, d)`，与`nn.Linear`相同（$y=Wx$），以及头数`heads`。
输出：同样的行，新的次序。""",
    ),
    signature="rope_checkpoint(weight, heads) -> (heads * D, d)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="First cut the rows into heads: `weight.unflatten(0, (heads, -1))` has shape "
            "(heads, D, d). Never let rows wander from one head to another.",
            zh="先把行按头切开：`weight.unflatten(0, (heads, -1))`的形状是(heads, D, d)。"
            "行绝不能从一个头跑到另一个头。",
        ),
        Text(
            en="Inside a head the new order is 0, 2, 4, …, then 1, 3, 5, …",
            zh="一个头之内，新次序是0、2、4……，然后1、3、5……",
        ),
        Text(
            en="`weight.view(heads, D // 2, 2, d).transpose(1, 2).reshape(heads * D, d)` is what "
            "the conversion scripts do.",
            zh="转换脚本就是这么写的："
            "`weight.view(heads, D // 2, 2, d).transpose(1, 2).reshape(heads * D, d)`。",
        ),
    ),
)


def _order(heads: int, dim: int) -> Tensor:
    within = torch.cat((torch.arange(0, dim, 2), torch.arange(1, dim, 2)))
    return (torch.arange(heads)[:, None] * dim + within).flatten()


@exercise.check(en="keeps the shape", zh="形状不变")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.randn(12, 5, generator=rng), 2), (12, 5))


@exercise.check(
    en="in one head: even rows first, then odd rows",
    zh="只有一个头时：先偶数行，再奇数行",
    weight=2,
)
def one_head(answer: Function, rng: torch.Generator) -> None:
    weight = torch.randn(8, 3, generator=rng)
    expect_close(answer(weight, 1), weight[_order(1, 8)])


@exercise.check(
    en="does so in each head for itself, for any number of heads",
    zh="每个头各自如此，头数任意",
    weight=4,
)
def each_head(answer: Function, rng: torch.Generator) -> None:
    for heads, dim, width in ((2, 8, 6), (3, 4, 5), (5, 2, 7), (4, 6, 24)):
        weight = torch.randn(heads * dim, width, generator=rng)
        expect_close(answer(weight, heads), weight[_order(heads, dim)])


@exercise.misconception(
    en="This is the way back, from half-split to interleaved. The two are inverse to each other "
    "and differ as soon as a head has more than four channels.",
    zh="这是反方向的，从前后半到交错。两者互为逆变换，一个头超过4个通道就不一样了。",
)
def inverse(weight: Tensor, heads: int) -> Tensor:
    return weight[_order(heads, weight.shape[0] // heads).argsort()]


@exercise.misconception(
    en="You sorted the rows of the whole matrix at once: rows of different heads got mixed. Each "
    "head is reordered for itself.",
    zh="你对整个矩阵一起重排，不同头的行混在了一起。要每个头各自重排。",
)
def across_heads(weight: Tensor, heads: int) -> Tensor:
    return weight[_order(1, weight.shape[0])]


@exercise.misconception(
    en="The columns were reordered too, or instead. They belong to the input of the projection, "
    "which the layout does not touch; rows are the channels of q and k.",
    zh="你动了列。列对应投影的输入，和排布无关；行才是q、k的通道。",
)
def columns(weight: Tensor, heads: int) -> Tensor:
    width = weight.shape[1]
    return weight[:, torch.cat((torch.arange(0, width, 2), torch.arange(1, width, 2)))]


@exercise.misconception(
    en="Nothing was reordered. Then the model runs and answers nonsense: no shape tells the two "
    "layouts apart.",
    zh="什么也没有重排。这样模型照样能跑，答非所问：两种排布从形状上看不出区别。",
)
def unchanged(weight: Tensor, heads: int) -> Tensor:
    return weight.clone()
