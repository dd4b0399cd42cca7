"""Exercise mend_key_only: a decoder's shortcut in an encoder."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="mend_key_only",
    chapter="07_linear_bias",
    title=Text(en="Mend: an encoder that looks to the end", zh="修错：只盯着末尾的编码器"),
    task=Text(
        en=r"""Mend `decoder_shortcut` for an encoder, which has no causal mask: return the bias
that falls with the distance in both directions, $-m_h\,|i-j|$.

In: `length`, `slopes` of shape `(H,)`. Out: shape `(H, length, length)`.""",
        zh=r"""为编码器修好`decoder_shortcut`（编码器没有因果掩码）：返回往两个方向都随距离下降的偏置
$-m_h\,|i-j|$。

输入：`length`，形状为`(H,)`的`slopes`。输出：形状为`(H, length, length)`。""",
    ),
    signature="mend_key_only(length, slopes) -> (H, length, length)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="Why may a decoder add the same row +m·j to all queries? Which step of the argument "
            "fails without a mask?",
            zh="解码器为什么可以给所有查询加同一行+m·j？没有掩码时，这个理由哪一步不成立？",
        ),
        Text(
            en="The argument needs j ≤ i, where −m(i − j) is −m|i − j|.",
            zh="理由里用到了j ≤ i，这时−m(i − j)就是−m|i − j|。",
        ),
        Text(
            en="`-slopes[:, None, None] * (p[None, :] - p[:, None]).abs()`.",
            zh="`-slopes[:, None, None] * (p[None, :] - p[:, None]).abs()`。",
        ),
    ),
)


def _relative(length: int) -> Tensor:
    p = torch.arange(length)
    return p[None, :] - p[:, None]


@exercise.check(en="one table for each head", zh="每个头一张表")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(5, torch.ones(3)), (3, 5, 5))


@exercise.check(
    en="the same to the left and to the right, largest at the query itself",
    zh="左右相同，在查询自己处最大",
    weight=2,
)
def symmetric(answer: Function, rng: torch.Generator) -> None:
    table = expect_shape(answer(7, torch.tensor([0.5, 0.1])), (2, 7, 7))
    expect(
        torch.allclose(table, table.mT, atol=1e-5),
        "the bias of i and j is not that of j and i: both directions should be alike",
        "i、j与j、i的偏置不一样：两个方向应当相同",
    )
    expect(
        bool((table.argmax(-1) == torch.arange(7)).all()),
        "some query prefers another place to its own",
        "有的查询更偏爱别的位置，而不是自己",
    )


@exercise.check(en="equals −m |i − j|", zh="等于−m |i − j|", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    slopes = torch.rand(4, generator=rng)
    for length in (1, 8):
        expect_close(answer(length, slopes), -slopes[:, None, None] * _relative(length).abs())


@exercise.misconception(
    en="Still the broken version: +m·j prefers the end of the text for every query. Only behind a "
    "causal mask does it give ALiBi's weights.",
    zh="还是有错的那个版本：+m·j让每个查询都偏爱文本末尾。只有加了因果掩码，它给出的权重才与ALiBi相同。",
)
def unchanged(length: int, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * torch.arange(length).expand(length, length)


@exercise.misconception(
    en="m (j − i) penalises the past and rewards the future: right behind a causal mask, wrong "
    "without one. Take the absolute value.",
    zh="m(j − i)扣过去的分，却给未来加分：有因果掩码时没问题，没有就错了。要取绝对值。",
)
def causal_form(length: int, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * _relative(length)


@exercise.misconception(
    en="The sign is turned: the farthest keys get the largest bonus.",
    zh="符号反了：最远的键反而加分最多。",
)
def other_sign(length: int, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * _relative(length).abs()


@exercise.misconception(
    en="The distance is squared: a Gaussian window. ALiBi is linear.",
    zh="距离被平方了，成了高斯窗。ALiBi是线性的。",
)
def squared(length: int, slopes: Tensor) -> Tensor:
    return -slopes[:, None, None] * _relative(length) ** 2
