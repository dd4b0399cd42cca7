"""Exercise mend_softmax_axis: the softmax ran over the queries."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text
from posenc_ref.attention import attention

exercise = Exercise(
    id="mend_softmax_axis",
    chapter="01_permutation",
    title=Text(en="Mend: the axis of the softmax", zh="修错：softmax的维度"),
    task=Text(
        en=r"""Mend `competing_queries`: return $\mathrm{softmax}(QK^\top/\sqrt d)\,V$ for a batch,
each query dividing its attention among the keys of its own sentence.

In: `q` of shape `(B, Lq, d)`, `k` and `v` of shape `(B, Lk, d)`. Out: shape `(B, Lq, d)`.""",
        zh=r"""修好`competing_queries`：对一个批次返回$\mathrm{softmax}(QK^\top/\sqrt d)\,V$，
每个查询把注意力分给本句的各个键。

输入：`q`形状为`(B, Lq, d)`，`k`和`v`形状为`(B, Lk, d)`。输出：形状为`(B, Lq, d)`。""",
    ),
    signature="mend_softmax_axis(q, k, v) -> (B, Lq, d)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Write down the shape of the scores, axis by axis. Which axis counts keys?",
            zh="把得分的形状一维一维写出来。哪一维数的是键？",
        ),
        Text(
            en="The scores are `(B, Lq, Lk)`: axis 1 counts queries. In the version without a "
            "batch axis 1 was the keys.",
            zh="得分的形状是`(B, Lq, Lk)`：第1维数的是查询。没有批次的版本里，第1维才是键。",
        ),
        Text(
            en="`dim=-1` is right with and without a batch, and with heads.",
            zh="`dim=-1`在有没有批次、有没有多头时都对。",
        ),
    ),
)


def _right(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return attention(q[:, None], k[:, None], v[:, None])[:, 0]


def _inputs(rng: torch.Generator, batch: int, queries: int, keys: int) -> tuple[Tensor, ...]:
    return tuple(torch.randn(batch, n, 6, generator=rng) for n in (queries, keys, keys))


@exercise.check(en="one output per query", zh="每个查询一个输出")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_inputs(rng, 2, 3, 5)), (2, 3, 6))


@exercise.check(
    en="constant values come out unchanged: the weights of a query sum to 1",
    zh="值为常数时原样输出：每个查询的权重之和为1",
)
def average(answer: Function, rng: torch.Generator) -> None:
    q, k, v = _inputs(rng, 2, 3, 5)
    expect_close(answer(q, k, torch.full_like(v, 2.0)), torch.full_like(q, 2.0))


@exercise.check(
    en="a query is not changed by the other queries", zh="一个查询的输出不受其他查询影响"
)
def independent(answer: Function, rng: torch.Generator) -> None:
    q, k, v = _inputs(rng, 2, 4, 5)
    together = expect_shape(answer(q, k, v), (2, 4, 6))
    alone = expect_shape(answer(q[:, :1], k, v), (2, 1, 6))
    expect(
        torch.allclose(together[:, :1], alone, atol=1e-5),
        "without the other queries, query 0 gets another output",
        "去掉其他查询之后，查询0的输出变了",
    )


@exercise.check(en="equals softmax(QKᵀ/√d)V", zh="等于softmax(QKᵀ/√d)V", weight=5)
def values(answer: Function, rng: torch.Generator) -> None:
    for batch, queries, keys in ((2, 3, 5), (1, 4, 4), (3, 5, 2)):
        q, k, v = _inputs(rng, batch, queries, keys)
        expect_close(answer(q, k, v), _right(q, k, v))


def _with(q: Tensor, k: Tensor, v: Tensor, axis: int, scale: float) -> Tensor:
    return (q @ k.transpose(1, 2) * scale).softmax(axis) @ v


@exercise.misconception(
    en="Still the broken version: axis 1 of (B, Lq, Lk) counts queries. They compete for each key, "
    "and the weights of one query do not sum to 1.",
    zh="还是有错的那个版本：(B, Lq, Lk)的第1维数的是查询。查询之间在争抢同一个键，"
    "而一个查询的权重之和不是1。",
)
def unchanged(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _with(q, k, v, 1, q.shape[-1] ** -0.5)


@exercise.misconception(
    en="The weights of a query sum to 1 again, but only because you divided by their sum: the "
    "softmax before it still lets the queries compete.",
    zh="一个查询的权重之和又是1了，但那只是因为你除以了这个和：前面的softmax仍让查询互相争抢。",
)
def normalised_again(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    weights = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(1)
    return weights / weights.sum(-1, keepdim=True) @ v


@exercise.misconception(
    en="Axis 0 counts sentences: now the sentences of a batch compete.",
    zh="第0维数的是句子：现在成了同一批的句子在互相争抢。",
)
def over_batch(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _with(q, k, v, 0, q.shape[-1] ** -0.5)


@exercise.misconception(
    en="The axis is right now, but the scaling by √d got lost.",
    zh="维度改对了，但除以√d丢了。",
)
def lost_scale(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _with(q, k, v, -1, 1.0)


@exercise.misconception(
    en="One softmax over all pairs of a sentence: the weights of all queries together sum to 1.",
    zh="对一句话的所有（查询，键）一起做了softmax：全部查询的权重加起来才是1。",
)
def over_pairs(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    return scores.flatten(1).softmax(-1).view_as(scores) @ v
