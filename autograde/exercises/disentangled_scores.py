"""Exercise disentangled_scores: DeBERTa's three terms."""

from typing import NamedTuple

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text
from posenc_ref.deberta import deberta_terms

exercise = Exercise(
    id="disentangled_scores",
    chapter="04_relative",
    title=Text(en="DeBERTa's scores", zh="DeBERTa的得分"),
    task=Text(
        en=r"""Return DeBERTa's scores of one head,

$$\frac{q_i\cdot k_j+q_i\cdot K^r_{\delta(i,j)}+k_j\cdot Q^r_{\delta(i,j)}}{\sqrt{3D}},
\qquad\delta(i,j)=\mathrm{clip}(i-j+m,\,0,\,2m-1).$$

$\delta$ counts query *minus key*, and both relative terms read $\delta(i,j)$, as the published
code does.

In: `q` and `k` of shape `(L, D)`, tokens at positions $0,\dots,L-1$; `relative_q` ($Q^r$) and
`relative_k` ($K^r$) of shape `(2m, D)`. Out: shape `(L, L)`.""",
        zh=r"""返回DeBERTa一个头的得分

$$\frac{q_i\cdot k_j+q_i\cdot K^r_{\delta(i,j)}+k_j\cdot Q^r_{\delta(i,j)}}{\sqrt{3D}},
\qquad\delta(i,j)=\mathrm{clip}(i-j+m,\,0,\,2m-1).$$

$\delta$数的是查询*减键*；两个相对项读的都是$\delta(i,j)$，公开的代码就是这样。

输入：`q`和`k`形状为`(L, D)`，词元位于$0,\dots,L-1$；`relative_q`（$Q^r$）和
`relative_k`（$K^r$）形状为`(2m, D)`。输出：形状为`(L, L)`。""",
    ),
    signature="disentangled_scores(q, k, relative_q, relative_k) -> (L, L)",
    points=4,
    difficulty=3,
    minutes=15,
    hints=(
        Text(
            en="Number the rows first, for every pair: query minus key, moved by m, clipped. Then "
            "write the three terms one by one, and print which token and which row each reads.",
            zh="先给每一对算出行号：查询减键，平移m，截断。再一项一项地写，"
            "并打印每一项读的是哪个词元、哪一行。",
        ),
        Text(
            en="`q @ relative_k.T` has shape `(L, 2m)`: each query against each distance. "
            "`.gather(1, row)` picks one entry for each pair. Or look up `relative_k[row]`, `(L, "
            "L, D)`, and sum over D.",
            zh="`q @ relative_k.T`形状为`(L, 2m)`：每个查询对每个距离。"
            "`.gather(1, row)`为每一对取值。"
            "也可以查出`relative_k[row]`，形状`(L, L, D)`，再对D求和。",
        ),
        Text(
            en="In the third term a row of `k @ relative_q.T` belongs to a *key*. Whose row does "
            "`.gather(1, row)` read at (i, j)? Let keys be the rows of the index as well, and "
            "transpose the result.",
            zh="第三项里，`k @ relative_q.T`的一行属于一个*键*。"
            "`.gather(1, row)`在(i, j)处读的是谁的行？让下标的行也对应键，取完再转回来。",
        ),
    ),
)


class Terms(NamedTuple):
    """The inputs, the three terms that DeBERTa adds, (L, L) each, i - j of each pair, and m."""

    q: Tensor
    k: Tensor
    relative_q: Tensor
    relative_k: Tensor
    c2c: Tensor
    c2p: Tensor
    p2c: Tensor
    distance: Tensor
    span: int


def look(q: Tensor, k: Tensor, relative_q: Tensor, relative_k: Tensor) -> Terms:
    at = torch.arange(len(q))
    heads = (x[None, None] for x in (q, k))
    tables = (x[None] for x in (relative_q, relative_k))
    terms = (term[0, 0] for term in deberta_terms(*heads, at, at, *tables))
    return Terms(q, k, relative_q, relative_k, *terms, at[:, None] - at, len(relative_k) // 2)


@exercise.truth
def three_terms(q: Tensor, k: Tensor, relative_q: Tensor, relative_k: Tensor) -> Tensor:
    return _scores(look(q, k, relative_q, relative_k))


def _root(seen: Terms) -> float:
    return (3 * seen.q.shape[1]) ** 0.5


def _scores(seen: Terms) -> Tensor:
    return (seen.c2c + seen.c2p + seen.p2c) / _root(seen)


def _looked_up(seen: Terms, row: Tensor) -> Tensor:
    p2c = _met(seen.k, seen.relative_q, row.T).T
    return _scores(seen._replace(c2p=_met(seen.q, seen.relative_k, row), p2c=p2c))


def _met(x: Tensor, table: Tensor, row: Tensor) -> Tensor:
    """Return the product of token i of x with row (i, j) of a table, (L, L)."""
    return (x @ table.T).gather(1, row)


def _row(seen: Terms) -> Tensor:
    return (seen.distance + seen.span).clamp(0, 2 * seen.span - 1)


def _inputs(rng: torch.Generator, length: int, span: int, dim: int) -> tuple[Tensor, ...]:
    shapes = ((length, dim), (length, dim), (2 * span, dim), (2 * span, dim))
    return tuple(torch.randn(shape, generator=rng) for shape in shapes)


@exercise.check(en="one score for each pair", zh="每一对一个得分")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, span, dim in ((5, 3, 8), (1, 2, 4), (4, 1, 2)):
        expect_shape(answer(*_inputs(rng, length, span, dim)), (length, length))


@exercise.check(
    en="content to position, with the other relative term 0",
    zh="内容对位置，另一个相对项为0",
    weight=2,
)
def query_side(answer: Function, rng: torch.Generator) -> None:
    q, k, _, relative_k = _inputs(rng, 7, 3, 8)
    expect_agreement(answer, exercise.true_answer, q, k, 0 * relative_k, relative_k)


@exercise.check(
    en="position to content, with the other relative term 0",
    zh="位置对内容，另一个相对项为0",
    weight=2,
)
def key_side(answer: Function, rng: torch.Generator) -> None:
    q, k, relative_q, _ = _inputs(rng, 7, 3, 8)
    expect_agreement(answer, exercise.true_answer, q, k, relative_q, 0 * relative_q)


@exercise.check(en="equals the formula", zh="与公式一致", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    length, span, dim = torch.randint(2, 9, (3,), generator=rng).tolist()
    for sizes in ((4, 8, 6), (length, span, dim), (9, 2, 4), (3, 1, 16), (110, 30, 10)):
        expect_agreement(answer, exercise.true_answer, *_inputs(rng, *sizes))


@exercise.misconception(
    en="You divided by √D. Three uncorrelated terms have three times the variance, so DeBERTa "
    "divides by √(3D); yours are √3 ≈ 1.73 times as large as they should be.",
    zh="你除以了√D。三个不相关的项之和，方差是三倍，所以DeBERTa除以√(3D)；"
    "你的得分是应有的√3 ≈ 1.73倍。",
    look=look,
)
def root_of_dim(seen: Terms) -> Tensor:
    return _scores(seen) * 3**0.5


@exercise.misconception(
    en="Your δ counts key − query. DeBERTa's tables are the other way round: row m + 1 is the key "
    "just *before* the query.",
    zh="你的δ数的是键−查询。DeBERTa的表正好相反：第m + 1行是查询*之前*紧挨着的那个键。",
    look=look,
)
def key_minus_query(seen: Terms) -> Tensor:
    return _looked_up(seen, (seen.span - seen.distance).clamp(0, 2 * seen.span - 1))


@exercise.misconception(
    en="The third term was gathered without transposing: at (i, j) it reads the content of token "
    "i. A different word at one key then changes a row of the term instead of a column.",
    zh="第三项取值时没有转置：(i, j)处读的是词元i的内容。于是换掉一个键的词，变的是这一项的一行，"
    "而不是一列。",
    look=look,
)
def untransposed(seen: Terms) -> Tensor:
    return _scores(seen._replace(p2c=_met(seen.k, seen.relative_q, _row(seen))))


@exercise.misconception(
    en="The third term is mirrored at the diagonal, its rows standing for keys: you transposed the "
    "index and not the result. Transpose that too.",
    zh="第三项沿对角线翻了过去，行成了键：你转置了下标，没有转置结果。取完要转回来。",
    look=look,
)
def not_turned_back(seen: Terms) -> Tensor:
    return _scores(seen._replace(p2c=seen.p2c.T))


@exercise.misconception(
    en="p2c is missing: these are c2c and c2p, a kind of Shaw's score. A key cannot prefer "
    "queries at certain distances.",
    zh="缺了p2c：这里只有c2c和c2p，相当于Shaw的得分。键这一方无法表达“我该被多远处的查询关注”。",
    look=look,
)
def without_p2c(seen: Terms) -> Tensor:
    return (seen.c2c + seen.c2p) / _root(seen)


@exercise.misconception(
    en="p2c is missing, and the root is √(2D): that is DeBERTa with c2p alone. A key cannot "
    "prefer queries at certain distances.",
    zh="缺了p2c，除的是√(2D)：这是只用c2p的DeBERTa。键这一方无法表达“我该被多远处的查询关注”。",
    look=look,
)
def c2p_alone(seen: Terms) -> Tensor:
    return without_p2c(seen) * 1.5**0.5


@exercise.misconception(
    en="c2p is missing: the query's content never meets a distance.",
    zh="缺了c2p：查询的内容始终没有和距离相遇。",
    look=look,
)
def without_c2p(seen: Terms) -> Tensor:
    return (seen.c2c + seen.p2c) / _root(seen)


@exercise.misconception(
    en="The factor 3 is outside the root, 3·√D: `3 * D ** 0.5` takes the root of D alone. It "
    "is `(3 * D) ** 0.5`.",
    zh="3写到了根号外面，成了3·√D：`3 * D ** 0.5`只对D开方。应为`(3 * D) ** 0.5`。",
    look=look,
)
def three_outside(seen: Terms) -> Tensor:
    return _scores(seen) / 3**0.5


@exercise.misconception(
    en="The division reaches the third term alone: `a + b + c / (3 * D) ** 0.5`. Put the sum in "
    "brackets.",
    zh="只有第三项做了除法：`a + b + c / (3 * D) ** 0.5`。给整个和加上括号。",
    look=look,
)
def last_divided(seen: Terms) -> Tensor:
    return seen.c2c + seen.c2p + seen.p2c / _root(seen)


@exercise.misconception(
    en="m is missing in δ: distance 0 reads row 0, and so do all keys ahead. Move by m before "
    "you clip.",
    zh="δ里漏了+ m：距离0读第0行，之后的键也全读第0行。先平移m，再截断。",
    look=look,
)
def without_span(seen: Terms) -> Tensor:
    return _looked_up(seen, seen.distance.clamp(0, 2 * seen.span - 1))


@exercise.misconception(
    en="m is missing in δ: you clipped i − j to −m … m − 1 and took that for the row. A negative "
    "index counts from the end of the table: add m.",
    zh="δ里漏了+ m：你把i − j截断到−m到m − 1，直接当了行号。负下标会从表尾数起：要加上m。",
    look=look,
)
def negative_rows(seen: Terms) -> Tensor:
    return _looked_up(seen, seen.distance.clamp(-seen.span, seen.span - 1) % (2 * seen.span))


@exercise.misconception(
    en="The third term reads δ(j, i), as the paper prints it; that also happens when the result is "
    "transposed and the index is not. Microsoft's code and Hugging Face's read δ(i, j), and the "
    "weights were trained with that.",
    zh="第三项读的是δ(j, i)，论文是这样印的；只转置结果、不转置下标，也会变成这样。"
    "公开的代码和checkpoint用的都是δ(i, j)。",
    look=look,
)
def as_printed(seen: Terms) -> Tensor:
    return _scores(seen._replace(p2c=_met(seen.k, seen.relative_q, _row(seen)).T))


@exercise.misconception(
    en="The two tables are exchanged: the query should meet K^r, the key Q^r.",
    zh="两张表弄反了：与查询做点积的应是K^r，与键做点积的应是Q^r。",
    look=look,
)
def exchanged(seen: Terms) -> Tensor:
    swapped = seen._replace(relative_q=seen.relative_k, relative_k=seen.relative_q)
    return _looked_up(swapped, _row(seen))


# gather and a table in brackets raise errors of their own, the same for no clip and for ±m
@exercise.misconception(
    en="For a key m or more before the query, `gather` is sent to row 2m or further on, and the "
    "tables end with row 2m − 1. Clip i − j + m to 0 … 2m − 1. (Clipping i − j to ±m fits Shaw's "
    "table, which has 2m + 1 rows.)",
    zh="比查询早m个或更多的键，`gather`取的是第2m行甚至更后面，而表到第2m − 1行为止。"
    "要把i − j + m截断到0到2m − 1。（把i − j截断到±m，配的是Shaw那种2m + 1行的表。）",
    look=look,
)
def unclipped(seen: Terms) -> Tensor:
    return _looked_up(seen, seen.distance + seen.span)


@exercise.misconception(
    en="A table in brackets, such as `relative_k[row]`, is asked for row 2m or further on by a key "
    "m or more before the query, and it ends with row 2m − 1. Clip i − j + m to 0 … 2m − 1. "
    "(Clipping i − j to ±m fits Shaw's table, which has 2m + 1 rows.)",
    zh="比查询早m个或更多的键，`relative_k[row]`这样的查表要的是第2m行甚至更后面，"
    "而表到第2m − 1行为止。要把i − j + m截断到0到2m − 1。"
    "（把i − j截断到±m，配的是Shaw那种2m + 1行的表。）",
    look=look,
)
def row_past_the_end(seen: Terms) -> Tensor:
    row = seen.distance.clamp(-seen.span, seen.span) + seen.span
    c2p = (seen.q[:, None] * seen.relative_k[row]).sum(-1)
    return _scores(seen._replace(c2p=c2p))


@exercise.misconception(
    en="The query meets both tables. In the third term it is the *key* that meets Q^r.",
    zh="两张表对的都是查询。第三项里，和Q^r做点积的是*键*。",
    look=look,
)
def query_twice(seen: Terms) -> Tensor:
    return _scores(seen._replace(p2c=_met(seen.q, seen.relative_q, _row(seen))))


@exercise.misconception(
    en="You divided by √(2D), for two relative terms. c2c counts as well: √(3D).",
    zh="你只数了两个相对项，除以了√(2D)。c2c也算一项：除以√(3D)。",
    look=look,
)
def root_of_two(seen: Terms) -> Tensor:
    return _scores(seen) * 1.5**0.5


@exercise.misconception(
    en="You took the number of rows for m. A table has 2m rows, so m is half of that.",
    zh="你把表的行数当成了m。表有2m行，m是行数的一半。",
    look=look,
)
def span_of_all_rows(seen: Terms) -> Tensor:
    rows = 2 * seen.span
    return _looked_up(seen, (seen.distance + rows).clamp(0, rows - 1))


@exercise.misconception(
    en="You clipped the distance to ±(m − 1), so row 0 is never read. δ runs from 0 to 2m − 1: i "
    "− j from −m to m − 1.",
    zh="你把距离截断到±(m − 1)，第0行就永远读不到。δ从0到2m − 1，即i − j从−m到m − 1。",
    look=look,
)
def clipped_evenly(seen: Terms) -> Tensor:
    farthest = seen.span - 1
    return _looked_up(seen, seen.distance.clamp(-farthest, farthest) + seen.span)


@exercise.misconception(
    en="You added a fourth term, position to position. DeBERTa leaves it out: with relative "
    "positions it says little that is new.",
    zh="你多加了第四项，位置对位置。DeBERTa不用这一项：位置是相对的，它几乎没有新的信息。",
    look=look,
)
def position_to_position(seen: Terms) -> Tensor:
    fourth = (seen.relative_q * seen.relative_k).sum(1)
    return _scores(seen) + fourth[_row(seen)] / _root(seen)


@exercise.misconception(
    en="Distances beyond the table wrap round to its other end, as `%` and negative indices do: a "
    "key far back reads the row of one ahead. Clip them.",
    zh="超出表的距离绕到了另一头，`%`和负下标就会这样：很早的键读到了之后的键的那一行。应当截断。",
    look=look,
)
def wrapped_round(seen: Terms) -> Tensor:
    return _looked_up(seen, (seen.distance + seen.span) % (2 * seen.span))
