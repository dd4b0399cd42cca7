"""Exercise previous_token_score: how much a head looks at the token one before."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="previous_token_score",
    chapter="14_under_glass",
    title=Text(en="A head that looks one back", zh="只看前一个词元的头"),
    task=Text(
        en=r"""Return the weight that a query gives, on average, to the token one before it. All
queries that have such a token count alike; the first has none and is left out.

In: `weights` `(..., L, L)`, attention weights of causal heads, row = query, with any axes in front,
even none; $L\ge2$. Out: shape `(...)`, a score for every head of every sentence: 1 if the head
looks nowhere else.""",
        zh=r"""对各查询分给前一个词元的权重取平均，返回这个平均值。凡是有前一个词元的查询都同等计入；
第一个查询没有，不计在内。

输入：`weights`，形状`(..., L, L)`，因果注意力头的权重，每行是一个查询，前面有几个轴都行，
也可以没有；$L\ge2$。输出：形状`(...)`，每句话的每个头一个分数；只看前一个词元的头得1。""",
    ),
    signature="previous_token_score(weights) -> (...)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Write down a table of 4 queries and 4 keys, and mark the entries where the key "
            "is one before the query. How many are there?",
            zh="画一张4个查询、4个键的表，把键恰好比查询早一个的格子标出来。一共几个？",
        ),
        Text(
            en="They are a diagonal, one below the main one. Which sign of `offset` is that?",
            zh="它们排成一条对角线，在主对角线下面一格。`offset`该取正还是负？",
        ),
        Text(
            en="`weights.diagonal(offset=…, dim1=-2, dim2=-1)` is (..., L − 1); then the mean over "
            "its last axis.",
            zh="`weights.diagonal(offset=…, dim1=-2, dim2=-1)`的形状是(..., L − 1)；"
            "再对最后一个轴取平均。",
        ),
    ),
)


@exercise.truth
def query_by_query(weights: Tensor) -> Tensor:
    """Return the mean over queries 1 … L − 1 of their weight on the key one before."""
    queries = range(1, weights.shape[-1])
    return torch.stack([weights[..., i, i - 1] for i in queries]).double().mean(0)


def _heads(rng: torch.Generator, *shape: int) -> Tensor:
    """Return causal weights of heads that differ, as a view of a larger tensor."""
    scores = 2 * torch.randn(*shape[:-1], 2 * shape[-1], generator=rng)[..., ::2]
    hidden = torch.ones(shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(hidden, -torch.inf).softmax(-1)


SHAPES = ((2, 3, 5, 5), (4, 7, 7), (6, 6), (3, 1, 2, 9, 9), (1, 1, 2, 2), (2, 4, 4, 4))


@exercise.check(en="one score for every head", zh="每个头一个分数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for sizes in SHAPES:
        expect_shape(answer(_heads(rng, *sizes)), sizes[:-2])


@exercise.check(en="the mean weight on the key one before", zh="落在前一个键上的平均权重", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    batch, heads, longer = torch.randint(2, 6, (3,), generator=rng).tolist()
    for sizes in (*SHAPES, (batch, heads, 8 + longer, 8 + longer), (2, 130, 130)):
        weights = _heads(rng, *sizes)
        expect_close(answer(weights), exercise.true_answer(weights))


@exercise.check(
    en="1 for a head that always looks one back, 0 for one that never does",
    zh="总看前一个的头得1，从不看的头得0",
    weight=2,
)
def extremes(answer: Function, rng: torch.Generator) -> None:
    (length,) = torch.randint(5, 40, (1,), generator=rng).tolist()
    own = torch.eye(length)
    back = own.roll(-1, dims=1)  # each row one to the left
    back[0] = own[0]
    two_back = own.roll(-2, dims=1)
    two_back[:2] = own[:2]
    weights = torch.stack((own, back, two_back))
    expect_close(answer(weights), exercise.true_answer(weights))


@exercise.misconception(
    en="You divided by L. Only L − 1 queries have a token before them, so a head that always looks "
    "one back would not get 1.",
    zh="你除以了L。有前一个词元的查询只有L − 1个，这样总看前一个的头得不到1。",
)
def divided_by_length(weights: Tensor) -> Tensor:
    return weights.diagonal(-1, -2, -1).sum(-1) / weights.shape[-1]


@exercise.misconception(
    en="`offset=1` is the diagonal above the main one: keys one *after* the query. A causal head "
    "gives them nothing.",
    zh="`offset=1`取的是主对角线上面那条：键在查询*之后*。因果的头给它们的权重为0。",
)
def one_after(weights: Tensor) -> Tensor:
    return weights.diagonal(1, -2, -1).mean(-1)


@exercise.misconception(
    en="You took the main diagonal: what each token gives to itself.",
    zh="你取的是主对角线：每个词元分给自己的权重。",
)
def itself(weights: Tensor) -> Tensor:
    return weights.diagonal(0, -2, -1).mean(-1)


@exercise.misconception(
    en="You took the main diagonal and left the first query out: what each token gives to itself.",
    zh="你取的是主对角线，又去掉了第一个查询：那是每个词元分给自己的权重。",
)
def itself_from_one(weights: Tensor) -> Tensor:
    return weights.diagonal(0, -2, -1)[..., 1:].mean(-1)


@exercise.misconception(
    en="You went one too far: offset −2 is the token two before.",
    zh="多退了一格：offset为−2取的是早两个位置的词元。",
)
def two_before(weights: Tensor) -> Tensor:
    return weights.diagonal(-2, -2, -1).mean(-1)


@exercise.misconception(
    en="The first query was left out after the diagonal was taken, so one query too many is lost: "
    "offset −1 begins at query 1 already.",
    zh="取了对角线之后又去掉第一项，多丢了一个查询：offset为−1的对角线本来就从查询1开始。",
)
def first_lost_twice(weights: Tensor) -> Tensor:
    return weights.diagonal(-1, -2, -1)[..., 1:].mean(-1)


@exercise.misconception(
    en="You added the weights up and took no mean: a longer text would have a larger score.",
    zh="你把权重加了起来，没有取平均：文本越长，分数就越大。",
)
def summed(weights: Tensor) -> Tensor:
    return weights.diagonal(-1, -2, -1).sum(-1)


@exercise.misconception(
    en="You took the mean over the sentences too. What is asked is a score for every head of every "
    "sentence.",
    zh="你把各句也平均了。要的是每句话的每个头一个分数。",
)
def over_the_sentences(weights: Tensor) -> Tensor:
    scores = weights.diagonal(-1, -2, -1).mean(-1)
    return scores.mean(0) if scores.dim() else scores


@exercise.misconception(
    en="You took one mean over everything: one number, which tells no head from another.",
    zh="你对全部取了一个平均：只剩一个数，头与头就分不出来了。",
)
def one_number(weights: Tensor) -> Tensor:
    return weights.diagonal(-1, -2, -1).mean()


@exercise.misconception(
    en="`diagonal` takes the first two axes unless you say which: those are sentences and heads. "
    "Queries and keys are the last two, `dim1=-2, dim2=-1`.",
    zh="不指定时，`diagonal`取的是最前面的两个轴，也就是句和头。"
    "查询和键是最后两个轴：`dim1=-2, dim2=-1`。",
)
def first_axes(weights: Tensor) -> Tensor:
    return weights.diagonal(-1).mean(-1)


@exercise.misconception(
    en="You counted how often the token before gets the largest weight. What is asked is how much "
    "it gets.",
    zh="你数的是前一个词元拿到最大权重的次数。要的是它拿到多少权重。",
)
def how_often_largest(weights: Tensor) -> Tensor:
    before = torch.arange(weights.shape[-1] - 1)
    return (weights.argmax(-1)[..., 1:] == before).double().mean(-1)


@exercise.misconception(
    en="You took the mean over the row as well, zeros and all: that is the score divided by L or "
    "so. One entry of each row counts.",
    zh="你把整行也平均了，连0一起：那差不多是分数再除以L。每行只算一个格子。",
)
def zeros_too(weights: Tensor) -> Tensor:
    below = torch.ones(weights.shape[-2:]).tril(-1).triu(-1)
    return (weights * below).mean((-2, -1))
