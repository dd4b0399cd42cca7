"""Exercise shaw_logits: a learned vector for each distance, met by the query."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="shaw_logits",
    chapter="04_relative",
    title=Text(en="Shaw's scores", zh="Shaw的得分"),
    task=Text(
        en=r"""Return the scores of one head,

$$e_{ij}=\frac{q_i\cdot(k_j+a^K_{ij})}{\sqrt D},$$

where $a^K_{ij}$ is the row of `table` whose number stands in `rows[i, j]`.

In: `q` of shape `(Lq, D)`, `k` of shape `(Lk, D)`, `rows` of shape `(Lq, Lk)` (integers), `table`
of shape `(2m+1, D)`. Out: shape `(Lq, Lk)`.""",
        zh=r"""返回一个头的得分

$$e_{ij}=\frac{q_i\cdot(k_j+a^K_{ij})}{\sqrt D},$$

其中$a^K_{ij}$是`table`的一行，行号写在`rows[i, j]`里。

输入：`q`形状为`(Lq, D)`，`k`形状为`(Lk, D)`，`rows`形状为`(Lq, Lk)`（整数），
`table`形状为`(2m+1, D)`。输出：形状为`(Lq, Lk)`。""",
    ),
    signature="shaw_logits(q, k, rows, table) -> (Lq, Lk)",
    points=3,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="`table[rows]` has shape `(Lq, Lk, D)`: one vector for each pair of tokens.",
            zh="`table[rows]`的形状是`(Lq, Lk, D)`：每一对词元一个向量。",
        ),
        Text(
            en="Open the bracket: $q_i\\cdot k_j$ is a matrix product; $q_i\\cdot a_{ij}$ is a sum "
            "over the last axis of `q[:, None] * table[rows]`.",
            zh="把括号拆开：$q_i\\cdot k_j$是矩阵乘积；$q_i\\cdot a_{ij}$是"
            "`q[:, None] * table[rows]`沿最后一维求和。",
        ),
        Text(
            en="`(q @ k.T + (q[:, None] * table[rows]).sum(-1)) / D ** 0.5`: both parts are "
            "divided.",
            zh="`(q @ k.T + (q[:, None] * table[rows]).sum(-1)) / D ** 0.5`：两部分都要除。",
        ),
    ),
)


def _scores(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return torch.einsum("id,ijd->ij", q, k[None] + table[rows]) / q.shape[1] ** 0.5


def _inputs(
    rng: torch.Generator, queries: int, keys: int, dim: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    q = torch.randn(queries, dim, generator=rng)
    k = torch.randn(keys, dim, generator=rng)
    rows = torch.randint(0, 5, (queries, keys), generator=rng)
    return q, k, rows, torch.randn(5, dim, generator=rng)


@exercise.check(en="one score for each pair", zh="每一对一个得分")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_inputs(rng, 3, 4, 8)), (3, 4))


@exercise.check(en="a table of zeros gives plain attention", zh="全零的表给出普通的注意力得分")
def zero_table(answer: Function, rng: torch.Generator) -> None:
    q, k, rows, table = _inputs(rng, 3, 5, 8)
    expect_close(answer(q, k, rows, 0 * table), q @ k.T / 8**0.5)


@exercise.check(en="equals the formula", zh="与公式一致", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    for queries, keys, dim in ((3, 5, 8), (1, 6, 2), (7, 4, 16)):
        inputs = _inputs(rng, queries, keys, dim)
        expect_close(answer(*inputs), _scores(*inputs))


@exercise.misconception(
    en="You added one number per distance. In Shaw's method the distance has a *vector*, and each "
    "query reads it differently; a plain number is T5's method.",
    zh="你给每个距离加了一个数。Shaw的方法里，距离对应的是*向量*，不同的查询读出不同的值；"
    "只加一个数的是T5。",
)
def a_number(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return (q @ k.T + table[rows].sum(-1)) / q.shape[1] ** 0.5


@exercise.misconception(
    en="Only the words' part is divided by √D. The formula divides the whole sum; otherwise the "
    "distance weighs √D times too much.",
    zh="只有内容那部分除以了√D。公式里整个和都要除，否则距离的分量会大√D倍。",
)
def half_scaled(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return q @ k.T / q.shape[1] ** 0.5 + torch.einsum("id,ijd->ij", q, table[rows])


@exercise.misconception(
    en="Nothing is divided by √D: the scores are √D times too large.",
    zh="没有除以√D：得分大了√D倍。",
)
def unscaled(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return _scores(q, k, rows, table) * q.shape[1] ** 0.5


@exercise.misconception(
    en="The *key* meets the distance vector here. Shaw's query does, $q_i\\cdot a_{ij}$; a "
    "key-side term is what DeBERTa adds later.",
    zh="这里是*键*去和距离向量做点积。Shaw用的是查询，即$q_i\\cdot a_{ij}$；"
    "键这一侧的项是后来DeBERTa加上的。",
)
def key_side(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return (q @ k.T + torch.einsum("jd,ijd->ij", k, table[rows])) / q.shape[1] ** 0.5


@exercise.misconception(
    en="You added a key-side term as well, $k_j\\cdot a_{ij}$: that is BERT's "
    "`relative_key_query`. In Shaw's score the query alone meets the distance vector.",
    zh="你多加了键这一侧的项$k_j\\cdot a_{ij}$：那是BERT的`relative_key_query`。"
    "Shaw的得分里，只有查询和距离向量做点积。",
)
def both_sides(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return (
        _scores(q, k, rows, table) + torch.einsum("jd,ijd->ij", k, table[rows]) / q.shape[1] ** 0.5
    )


@exercise.misconception(
    en="You returned attention weights: the softmax comes later. The scores are asked for.",
    zh="你返回的是注意力权重：softmax是后面的事，这里要的是得分。",
)
def weights(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return _scores(q, k, rows, table).softmax(-1)
