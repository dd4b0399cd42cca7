"""Exercise shaw_logits: a learned vector for each distance, met by the query."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="shaw_logits",
    chapter="04_relative",
    title=Text(en="Shaw's scores", zh="Shaw的得分"),
    task=Text(
        en=r"""Return the scores of one head,

$$e_{ij}=\frac{q_i\cdot(k_j+a^K_{ij})}{\sqrt D},$$

where $a^K_{ij}$ is the row of `table` whose number is `rows[i, j]`.

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
            en="Open the bracket: qᵢ·kⱼ is a matrix product; qᵢ·aᵢⱼ meets a different vector in "
            "each column, so it is a product entry by entry, summed over the last axis.",
            zh="把括号拆开：qᵢ·kⱼ是矩阵乘积；qᵢ·aᵢⱼ在每一列遇到的向量都不同，"
            "所以要逐个相乘，再沿最后一个轴求和。",
        ),
        Text(
            en="`q[:, None]` has shape `(Lq, 1, D)` and broadcasts against `table[rows]`. Both "
            "parts are divided by √D.",
            zh="`q[:, None]`形状为`(Lq, 1, D)`，可以和`table[rows]`广播。两部分都要除以√D。",
        ),
    ),
)


@exercise.truth
def summed_keys(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return torch.einsum("id,ijd->ij", q, k[None] + table[rows]) / q.shape[1] ** 0.5


def _inputs(
    rng: torch.Generator, queries: int, keys: int, dim: int, largest: int = 2
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    q = torch.randn(queries, dim, generator=rng)
    k = torch.randn(keys, dim, generator=rng)
    rows = torch.randint(0, 2 * largest + 1, (queries, keys), generator=rng)
    return q, k, rows, torch.randn(2 * largest + 1, dim, generator=rng)


@exercise.check(en="one score for each pair", zh="每一对一个得分")
def shape(answer: Function, rng: torch.Generator) -> None:
    for queries, keys, dim in ((3, 4, 8), (1, 4, 2), (3, 1, 6), (1, 1, 4)):
        expect_shape(answer(*_inputs(rng, queries, keys, dim)), (queries, keys))


@exercise.check(
    en="a table of zeros gives the scores of plain attention", zh="全零的表给出普通的注意力得分"
)
def zero_table(answer: Function, rng: torch.Generator) -> None:
    q, k, rows, table = _inputs(rng, 3, 5, 8)
    expect_close(answer(q, k, rows, 0 * table), q @ k.T / 8**0.5)


@exercise.check(en="equals the formula", zh="与公式一致", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    queries, keys, dim, largest = torch.randint(2, 9, (4,), generator=rng).tolist()
    for sizes in ((queries, keys, dim, largest), (1, 6, 2), (7, 1, 16), (3, 120, 10, 40)):
        expect_agreement(answer, exercise.true_answer, *_inputs(rng, *sizes))


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
    "distance weighs √D times as much as it should.",
    zh="只有内容那部分除以了√D。公式里整个和都要除，否则距离的分量会是应有的√D倍。",
)
def half_scaled(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return q @ k.T / q.shape[1] ** 0.5 + torch.einsum("id,ijd->ij", q, table[rows])


@exercise.misconception(
    en="Only the distance's part is divided by √D: `a + b / D ** 0.5` divides b alone. Put the sum "
    "in brackets.",
    zh="只有距离那部分除以了√D：`a + b / D ** 0.5`只除b。给整个和加上括号。",
)
def words_unscaled(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return q @ k.T + torch.einsum("id,ijd->ij", q, table[rows]) / q.shape[1] ** 0.5


@exercise.misconception(
    en="You divided by D, not by its root. A sum of D products spreads by √D, so dividing by D "
    "makes all scores small and attention nearly even.",
    zh="你除以了D，不是它的平方根。D个乘积之和的标准差是√D，除以D会让得分都很小，"
    "注意力几乎是平的。",
)
def over_dim(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return summed_keys(q, k, rows, table) / q.shape[1] ** 0.5


@exercise.misconception(
    en="You divided by the root of the number of keys, `k.shape[0]`. D is the size of a head, "
    "`k.shape[1]`: a longer text must not make the scores smaller.",
    zh="你除以的是键的个数`k.shape[0]`的平方根。D是头的维度，即`k.shape[1]`：文本变长，得分不应跟着变小。",
)
def over_the_keys(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return summed_keys(q, k, rows, table) * (q.shape[1] / k.shape[0]) ** 0.5


@exercise.misconception(
    en="You averaged the products with aᵢⱼ instead of adding them up, as a dot product does. The "
    "distance weighs only 1/D of what it should.",
    zh="对aᵢⱼ那部分，你取了乘积的平均，不是和：点积是相加。这样距离的分量只有应有的1/D。",
)
def averaged(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    distance = torch.einsum("id,ijd->ij", q, table[rows]) / q.shape[1]
    return (q @ k.T + distance) / q.shape[1] ** 0.5


@exercise.misconception(
    en="The *key* meets the distance vector here. In Shaw's score the query does, qᵢ·aᵢⱼ; a "
    "key-side term is what DeBERTa adds later.",
    zh="这里是*键*去和距离向量做点积。Shaw用的是查询，即qᵢ·aᵢⱼ；键这一侧的项是后来DeBERTa加上的。",
)
def key_side(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return (q @ k.T + torch.einsum("jd,ijd->ij", k, table[rows])) / q.shape[1] ** 0.5


@exercise.misconception(
    en="You added a key-side term as well, kⱼ·aᵢⱼ: that is BERT's `relative_key_query`. In Shaw's "
    "score the query alone meets the distance vector.",
    zh="你多加了键这一侧的项kⱼ·aᵢⱼ：那是BERT的`relative_key_query`。"
    "Shaw的得分里，只有查询和距离向量做点积。",
)
def both_sides(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    extra = torch.einsum("jd,ijd->ij", k, table[rows])
    return summed_keys(q, k, rows, table) + extra / q.shape[1] ** 0.5


@exercise.misconception(
    en="The table is not used: this is plain attention, the same whatever the distance.",
    zh="没有用到表：这是普通的注意力得分，距离多远都一样。",
)
def without_distance(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return q @ k.T / q.shape[1] ** 0.5


@exercise.misconception(
    en="`table[rows]` has three axes, so `q @ …` is a batch of products: every query meets the "
    "keys of *every* query, and the shape is (Lq, Lq, Lk). Give q an axis: `q[:, None]`.",
    zh="`table[rows]`有三个轴，`q @ …`就成了一批矩阵乘法：每个查询都遇到了*所有*查询的键，"
    "形状是(Lq, Lq, Lk)。给q加一个轴：`q[:, None]`。",
)
def all_queries_at_once(q: Tensor, k: Tensor, rows: Tensor, table: Tensor) -> Tensor:
    return q @ (k + table[rows]).mT / q.shape[1] ** 0.5
