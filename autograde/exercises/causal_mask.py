"""Exercise causal_mask: who may look at whom, when the future is hidden."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="causal_mask",
    chapter="01_permutation",
    title=Text(en="The causal mask", zh="因果掩码"),
    task=Text(
        en="""Return the boolean matrix that is True where a query (row) may look at a key (column):
at itself and at every earlier token.

In: `length`, an int. Out: shape `(length, length)`, dtype `torch.bool`.""",
        zh="""返回一个布尔矩阵，查询（行）可以看键（列）的地方为True：可以看自己和所有更早的词元。

输入：`length`，整数。输出：形状为`(length, length)`，dtype为`torch.bool`。""",
    ),
    signature="causal_mask(length) -> (length, length)",
    points=1,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="Write the 3 × 3 case by hand: token 0 sees one token, token 2 sees three.",
            zh="先手写3×3的情形：词元0能看见一个词元，词元2能看见三个。",
        ),
        Text(
            en="Query i may look at key j when j ≤ i: a triangle. Upper or lower?",
            zh="j ≤ i时查询i可以看键j：这是一个三角。上三角还是下三角？",
        ),
        Text(
            en="`torch.tril` keeps the lower triangle with its diagonal; it takes booleans too.",
            zh="`torch.tril`保留下三角和对角线，对布尔矩阵也能用。",
        ),
    ),
)


@exercise.truth
def key_by_key(length: int) -> Tensor:
    return torch.tensor([[key <= query for key in range(length)] for query in range(length)])


@exercise.check(en="a square matrix", zh="是方阵")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length in (4, 1):
        expect_shape(answer(length), (length, length))


@exercise.check(en="its entries are booleans", zh="元素是布尔值")
def dtype(answer: Function, rng: torch.Generator) -> None:
    expect_dtype(answer(4), torch.bool)


@exercise.check(
    en="True at key j for query i exactly when j ≤ i",
    zh="第i行第j列为True，当且仅当j ≤ i",
    weight=6,
)
def values(answer: Function, rng: torch.Generator) -> None:
    few, many = torch.randint(3, 40, (2,), generator=rng).tolist()
    for length in (few, 2, 1, 256 + many):  # 2 hides some mistakes, 257 is not in bfloat16
        expect_dtype(expect_agreement(answer, key_by_key, length), torch.bool)


@exercise.misconception(
    en="Upside down: with the upper triangle each token sees the future and not the past.",
    zh="上下颠倒了：用上三角，每个词元看见的是未来，而不是过去。",
)
def upper(length: int) -> Tensor:
    return torch.ones(length, length).triu().bool()


@exercise.misconception(
    en="Off by one: a token may look at itself. Here token 0 sees nothing, and its softmax is NaN.",
    zh="差了一格：词元可以看自己。现在词元0什么也看不见，softmax会得到NaN。",
)
def without_itself(length: int) -> Tensor:
    return torch.ones(length, length).tril(-1).bool()


@exercise.misconception(
    en="Off by one: each token sees the next one, which is the very token it should predict.",
    zh="差了一格：每个词元都看见了下一个词元，而那正是它要预测的。",
)
def sees_the_next(length: int) -> Tensor:
    return torch.ones(length, length).tril(1).bool()


@exercise.misconception(
    en="The polarity is reversed: True where attention is *forbidden*. torch.nn.MultiheadAttention "
    "wants that; scaled_dot_product_attention and this exercise want the opposite.",
    zh="极性反了：你把*禁止*的地方标成了True。torch.nn.MultiheadAttention是这样约定的；"
    "scaled_dot_product_attention和本题则都以True表示可以看。",
)
def forbidden(length: int) -> Tensor:
    return torch.ones(length, length).triu(1).bool()


@exercise.misconception(
    en="This is the additive mask, 0 and −inf. It works too, but the task asks for the boolean "
    "one.",
    zh="这是加性掩码，由0和−inf组成。它也能用，但题目要的是布尔掩码。",
)
def additive(length: int) -> Tensor:
    return torch.full((length, length), -torch.inf).triu(1)


@exercise.misconception(
    en="True everywhere: nothing is masked, and each token sees the whole future. Only the keys j "
    "≤ i should be True.",
    zh="处处为True：什么也没有遮住，每个词元都看得见整个未来。应当只有j ≤ i的键为True。",
)
def everything(length: int) -> Tensor:
    return torch.ones(length, length).bool()
