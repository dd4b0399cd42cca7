"""Exercise attention_weights: how much each query looks at each key."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="attention_weights",
    chapter="01_permutation",
    title=Text(en="Attention weights", zh="注意力权重"),
    task=Text(
        en=r"""Return the matrix $A=\mathrm{softmax}(QK^\top/\sqrt d)$. The softmax runs over the
keys: row i says how query i divides its attention, so each row sums to 1.

In: `q` of shape `(Lq, d)`, `k` of shape `(Lk, d)`. Out: shape `(Lq, Lk)`, without NaN even where
scores reach several hundred.""",
        zh=r"""返回矩阵$A=\mathrm{softmax}(QK^\top/\sqrt d)$。softmax沿着键的方向做：
第i行表示查询i怎样分配注意力，所以每行之和为1。

输入：`q`形状为`(Lq, d)`，`k`形状为`(Lk, d)`。
输出：形状为`(Lq, Lk)`，即使得分达到几百也不出现NaN。""",
    ),
    signature="attention_weights(q, k) -> (Lq, Lk)",
    points=2,
    difficulty=1,
    minutes=6,
    hints=(
        Text(
            en="Three steps: all dot products of queries with keys, scaling, softmax.",
            zh="分三步：所有查询与所有键的点积、缩放、softmax。",
        ),
        Text(
            en="`q @ k.T` has shape `(Lq, Lk)`. d is `q.shape[-1]`; divide by its *root*.",
            zh="`q @ k.T`的形状是`(Lq, Lk)`。d就是`q.shape[-1]`，要除以的是它的*平方根*。",
        ),
        Text(
            en="`torch.softmax(scores, dim=-1)` normalises each row, and survives large scores.",
            zh="`torch.softmax(scores, dim=-1)`会把每一行归一化，得分很大时也不会溢出。",
        ),
    ),
)


@exercise.truth
def by_definition(q: Tensor, k: Tensor) -> Tensor:
    scores = torch.einsum("id,jd->ij", q.double(), k.double()) / q.shape[-1] ** 0.5
    odds = (scores - scores.amax(1, keepdim=True)).exp()  # a constant per row cancels
    return odds / odds.sum(1, keepdim=True)


def _pair(queries: int, keys: int, dim: int, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    return torch.randn(queries, dim, generator=rng), torch.randn(keys, dim, generator=rng)


@exercise.check(en="one row per query, one column per key", zh="每个查询一行，每个键一列")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_pair(3, 5, 4, rng)), (3, 5))


@exercise.check(en="every row sums to 1", zh="每一行之和为1", weight=2)
def rows(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(*_pair(4, 7, 6, rng)), (4, 7)).double()
    for i, total in enumerate(got.sum(1).tolist()):
        expect(abs(total - 1) < 1e-4, f"row {i} sums to {total:.6g}", f"第{i}行之和为{total:.6g}")


@exercise.check(en="equals softmax(QKᵀ/√d)", zh="等于softmax(QKᵀ/√d)", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    for queries, keys, dim in ((3, 5, 2), (4, 4, 9), (1, 6, 16), (1, 1, 3), (2, 120, 5)):
        expect_agreement(answer, by_definition, *_pair(queries, keys, dim, rng))


@exercise.check(
    en="still right when scores reach several hundred: no NaN",
    zh="得分达到几百时仍然正确，不出现NaN",
)
def large(answer: Function, rng: torch.Generator) -> None:
    # scores of about 283 in one row, of −283 in the other: each has a maximum of its own
    q = torch.tensor([[20.0, 0.0], [-20.0, 0.0]])
    k = torch.tensor([[20.0, 0.0], [20.1, 0.0], [19.9 + 0.1 * torch.rand((), generator=rng), 0.0]])
    for queries in (q[:1], q):
        expect_agreement(answer, by_definition, queries, k, rtol=1e-3)


@exercise.misconception(
    en="You did not divide by √d. The scores then grow with d, and the softmax becomes almost "
    "one-hot.",
    zh="你没有除以√d。不缩放的话，得分随d变大，softmax就接近独热了。",
)
def unscaled(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T).softmax(-1)


@exercise.misconception(
    en="You subtracted the largest score of the *whole matrix*. A row far below it becomes 0 "
    "everywhere, and 0/0 is NaN. Subtract each row's own maximum, `s.amax(1, keepdim=True)`.",
    zh="你减去的是*整个矩阵*的最大得分。得分远低于它的行会全部下溢成0，0/0就是NaN。"
    "应减去每一行自己的最大值：`s.amax(1, keepdim=True)`。",
)
def maximum_of_all(q: Tensor, k: Tensor) -> Tensor:
    scores = q @ k.T / q.shape[-1] ** 0.5
    powers = (scores - scores.max()).exp()
    return powers / powers.sum(1, keepdim=True)


@exercise.misconception(
    en="The scores were cut off before the exponential: those beyond the bound become equal and "
    "share the weight. Subtract each row's maximum instead.",
    zh="得分在取指数之前被截断了：超过上限的都变得一样大，权重被平分。应改为减去每行的最大值。",
)
def cut_off(q: Tensor, k: Tensor) -> Tensor:
    powers = (q @ k.T / q.shape[-1] ** 0.5).clamp(-80, 80).exp()
    return powers / powers.sum(1, keepdim=True)


@exercise.misconception(
    en="You multiplied the weights by `k`: that gives the output of attention, one mixed vector "
    "per query. The task asks for the weights, before that product.",
    zh="你又把权重乘上了`k`，得到的是注意力的输出：每个查询一个加权平均的向量。"
    "题目要的是相乘之前的权重本身。",
)
def mixed_keys(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T / q.shape[-1] ** 0.5).softmax(-1) @ k


@exercise.misconception(
    en="You divided by d instead of √d: the weights come out too even.",
    zh="你除的是d，而不是√d：权重会过于平均。",
)
def by_d(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T / q.shape[-1]).softmax(-1)


@exercise.misconception(
    en="You divided by the root of the number of keys. Take the root of d, the width of a query "
    "vector.",
    zh="你除的是键的个数的平方根。开方的应当是d，即一个查询向量的维数。",
)
def by_length(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T / k.shape[0] ** 0.5).softmax(-1)


@exercise.misconception(
    en="You divided by the root of the number of queries. Take the root of d, the size of the "
    "*last* axis of q.",
    zh="你除的是查询的个数的平方根。开方的应当是d，也就是q的*最后*一个轴的大小。",
)
def by_queries(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T / q.shape[0] ** 0.5).softmax(-1)


@exercise.misconception(
    en="You wrote d = 8. That is the width of our example; read d from q.",
    zh="你写死了d = 8。那只是例子里的维度；d要从q里读。",
)
def fixed_width(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T / 8**0.5).softmax(-1)


@exercise.misconception(
    en="You divided by √d *after* the softmax. Scale the scores, not the weights: your rows do not "
    "sum to 1.",
    zh="你在softmax*之后*才除以√d。要缩放的是得分，不是权重：现在各行之和不是1。",
)
def scaled_too_late(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T).softmax(-1) / q.shape[-1] ** 0.5


@exercise.misconception(
    en="Your softmax runs over the queries, which compete for each key: columns sum to 1. Each "
    "query must divide its own attention among the keys (last axis); with a batch in front, "
    "`dim=1` would be the axis of the queries.",
    zh="你的softmax沿着查询做，查询在争抢同一个键，和为1的是列。"
    "应当由每个查询把自己的注意力分给各个键（最后一个轴）；加上批次之后，`dim=1`就是查询的轴。",
)
def over_queries(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T / q.shape[-1] ** 0.5).softmax(0)


@exercise.misconception(
    en="exp overflows in float32 beyond 88, and inf/inf is NaN. Subtract the largest score of the "
    "row first, as torch.softmax does.",
    zh="float32的exp超过88就会溢出，inf/inf得NaN。先减去该行的最大得分，torch.softmax就是这样做的。",
)
def overflow(q: Tensor, k: Tensor) -> Tensor:
    odds = (q @ k.T / q.shape[-1] ** 0.5).exp()
    return odds / odds.sum(-1, keepdim=True)


@exercise.misconception(
    en="The sum of each row lost its axis: without `keepdim=True` it has shape (Lq,) and is laid "
    "along the keys. Where Lq = Lk no error is raised, and column j is divided by the sum of row "
    "j.",
    zh="每行的和丢了一个轴：不写`keepdim=True`，它的形状是(Lq,)，会对到键的轴上。"
    "Lq = Lk时不会报错，第j个键却除以了第j个查询的和。",
)
def lost_axis(q: Tensor, k: Tensor) -> Tensor:
    odds = (q @ k.T / q.shape[-1] ** 0.5).exp()
    return odds / odds.sum(1)


@exercise.misconception(
    en="You multiplied by √d instead of dividing: the scores grow with d, and the softmax becomes "
    "almost one-hot.",
    zh="你乘了√d，而不是除以√d：得分随d变大，softmax就接近独热了。",
)
def times_root(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T * q.shape[-1] ** 0.5).softmax(-1)


@exercise.misconception(
    en="The softmax runs over all scores together: the whole matrix sums to 1, and the queries "
    "compete with each other. Each row needs a softmax of its own.",
    zh="softmax把所有得分放在一起做了：整个矩阵之和才是1，查询之间也在争抢。"
    "每一行应当单独做softmax。",
)
def over_everything(q: Tensor, k: Tensor) -> Tensor:
    odds = (q @ k.T / q.shape[-1] ** 0.5).exp()
    return odds / odds.sum()


@exercise.misconception(
    en="The scores are divided by their sum, without exp. Scores may be negative, so such weights "
    "may be too; where the sum is near 0 they explode.",
    zh="你直接用得分除以得分之和，没有取exp。得分可以为负，这样的权重也就可能为负；和接近0时，"
    "权重还会变得极大。",
)
def not_exponentiated(q: Tensor, k: Tensor) -> Tensor:
    scores = q @ k.T / q.shape[-1] ** 0.5
    return scores / scores.sum(-1, keepdim=True)
