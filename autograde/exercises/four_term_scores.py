"""Exercise four_term_scores: Transformer-XL's scores from its four terms."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="four_term_scores",
    chapter="04_relative",
    title=Text(en="Four terms", zh="四项之和"),
    task=Text(
        en=r"""Return Transformer-XL's scores of one head,

$$\frac{q_i\cdot k_j+q_i\cdot r_{ij}+u\cdot k_j+v\cdot r_{ij}}{\sqrt D}.$$

In: `q` of shape `(Lq, D)`, `k` of shape `(Lk, D)`, `r` of shape `(Lq, Lk, D)` (the projected
sinusoid of each distance), `u` and `v` of shape `(D,)`. Out: shape `(Lq, Lk)`.""",
        zh=r"""返回Transformer-XL一个头的得分

$$\frac{q_i\cdot k_j+q_i\cdot r_{ij}+u\cdot k_j+v\cdot r_{ij}}{\sqrt D}.$$

输入：`q`形状为`(Lq, D)`，`k`形状为`(Lk, D)`，`r`形状为`(Lq, Lk, D)`（每个距离的正弦向量，
已经过投影），`u`和`v`形状为`(D,)`。输出：形状为`(Lq, Lk)`。""",
    ),
    signature="four_term_scores(q, k, r, u, v) -> (Lq, Lk)",
    points=3,
    difficulty=2,
    minutes=7,
    hints=(
        Text(
            en="Group the terms by what is on the right: two meet kⱼ, two meet rᵢⱼ.",
            zh="按右边是什么来分组：两项遇到kⱼ，两项遇到rᵢⱼ。",
        ),
        Text(
            en="So the score is (qᵢ + u)·kⱼ + (qᵢ + v)·rᵢⱼ, all over √D. Which of the two is a "
            "matrix product?",
            zh="于是得分是(qᵢ + u)·kⱼ + (qᵢ + v)·rᵢⱼ，再整个除以√D。两部分中哪一个是矩阵乘积？",
        ),
        Text(
            en="The first part is one, `(q + u) @ k.T`. In the second every pair has a vector of "
            "its own: `(q + v)[:, None]` broadcasts against r; then sum over D.",
            zh="第一部分是，即`(q + u) @ k.T`。第二部分里每一对各有自己的向量："
            "`(q + v)[:, None]`与r广播，再对D求和。",
        ),
    ),
)


def _parts(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> tuple[Tensor, ...]:
    """Return the four terms, divided by √D."""
    terms = (q @ k.T, torch.einsum("id,ijd->ij", q, r), (k @ u).expand(len(q), -1), r @ v)
    return tuple(term / q.shape[1] ** 0.5 for term in terms)


@exercise.truth
def four_terms(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return sum(_parts(q, k, r, u, v))


def _inputs(rng: torch.Generator, queries: int, keys: int, dim: int) -> tuple[Tensor, ...]:
    shapes = ((queries, dim), (keys, dim), (queries, keys, dim), (dim,), (dim,))
    return tuple(torch.randn(shape, generator=rng) for shape in shapes)


@exercise.check(en="one score for each pair", zh="每一对一个得分")
def shape(answer: Function, rng: torch.Generator) -> None:
    for queries, keys, dim in ((3, 4, 8), (1, 4, 2), (3, 1, 6), (1, 1, 4)):
        expect_shape(answer(*_inputs(rng, queries, keys, dim)), (queries, keys))


@exercise.check(
    en="with q = 0 the two learned vectors still count",
    zh="q = 0时，两个可学习的向量仍在起作用",
)
def no_query(answer: Function, rng: torch.Generator) -> None:
    q, *others = _inputs(rng, 3, 5, 8)
    expect_agreement(answer, exercise.true_answer, 0 * q, *others)


@exercise.check(en="equals the sum of the four terms", zh="等于四项之和", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    queries, keys, dim = torch.randint(2, 9, (3,), generator=rng).tolist()
    for sizes in ((queries, keys, dim), (1, 6, 2), (7, 1, 16), (4, 4, 6), (3, 120, 10)):
        expect_agreement(answer, exercise.true_answer, *_inputs(rng, *sizes))


@exercise.misconception(
    en="u and v are exchanged: u met the distance and v the words. u belongs to content, v to "
    "position.",
    zh="u和v弄反了：u乘了距离，v乘了内容。u管内容，v管位置。",
)
def exchanged(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return sum(_parts(q, k, r, v, u))


@exercise.misconception(
    en="u and v are missing. These are Shaw's two terms, with a sinusoid in place of the table.",
    zh="缺了u和v。这只是Shaw的那两项，把表换成了正弦。",
)
def two_terms(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return sum(_parts(q, k, r, u, v)[:2])


@exercise.misconception(
    en="Only the first term is divided by √D. Transformer-XL divides all four.",
    zh="只有第一项除以了√D。Transformer-XL四项都除。",
)
def one_scaled(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    first, *others = _parts(q, k, r, u, v)
    return first + sum(others) * q.shape[1] ** 0.5


@exercise.misconception(
    en="u is missing: the keys meet q alone. u·k makes a word worth reading whichever token asks.",
    zh="缺了u：键只和q做了点积。u·k的作用是让一个词值得看，不管是哪个查询在看。",
)
def without_u(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return sum(_parts(q, k, r, 0 * u, v))


@exercise.misconception(
    en="v is missing: the distances meet q alone. v·r is what makes a distance worth reading "
    "whatever word is there.",
    zh="缺了v：距离只和q做了点积。v·r的作用是让一个距离值得看，不管那里是什么词。",
)
def without_v(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return sum(_parts(q, k, r, u, 0 * v))


@exercise.misconception(
    en="u meets the query, u·q. That is one number for a whole row, and the softmax takes it out "
    "again; u has to meet the key.",
    zh="u遇到的是查询，即u·q。它在一整行里都是同一个数，softmax会把它消掉；u应当遇到键。",
)
def u_meets_query(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return without_u(q, k, r, u, v) + (q @ u)[:, None] / q.shape[1] ** 0.5


@exercise.misconception(
    en="You divided by √(4D). The four terms share one √D; it is DeBERTa that counts its terms.",
    zh="你除以了√(4D)。四项共用一个√D；按项数调整的是DeBERTa。",
)
def counted(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return sum(_parts(q, k, r, u, v)) / 2


@exercise.misconception(
    en="Only the half with r is divided by √D: `a + b / D ** 0.5` divides b alone. Put the sum in "
    "brackets.",
    zh="只有含r的那一半除以了√D：`a + b / D ** 0.5`只除b。给整个和加上括号。",
)
def last_half_scaled(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    words, by_query, favoured, by_distance = _parts(q, k, r, u, v)
    return (words + favoured) * q.shape[1] ** 0.5 + by_query + by_distance


@exercise.misconception(
    en="Only the half with k is divided by √D. All four terms must be.",
    zh="只有含k的那一半除以了√D。四项都要除。",
)
def first_half_scaled(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    words, by_query, favoured, by_distance = _parts(q, k, r, u, v)
    return words + favoured + (by_query + by_distance) * q.shape[1] ** 0.5


@exercise.misconception(
    en="The two learned terms are not divided by √D: only the two with the query are.",
    zh="含u和v的两项没有除以√D，只除了含查询的两项。",
)
def learned_unscaled(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    words, by_query, favoured, by_distance = _parts(q, k, r, u, v)
    return words + by_query + (favoured + by_distance) * q.shape[1] ** 0.5


@exercise.misconception(
    en="u meets the words and the distances; v is never used. The distances belong to v.",
    zh="u既对内容又对距离，v没有用上。对距离的应当是v。",
)
def u_twice(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return sum(_parts(q, k, r, u, u))


@exercise.misconception(
    en="Only the last term is divided by √D: in `a + b + c + d / D ** 0.5` the division comes "
    "before the sum. Put the sum in brackets.",
    zh="只有最后一项除以了√D：在`a + b + c + d / D ** 0.5`里，除法先于加法。给整个和加上括号。",
)
def last_term_scaled(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    *others, last = _parts(q, k, r, u, v)
    return sum(others) * q.shape[1] ** 0.5 + last


@exercise.misconception(
    en="You divided by the root of the number of keys. Take the root of D, the number of channels: "
    "a longer text must not make the scores smaller.",
    zh="你除的是键的个数的平方根。开方的应当是D，即通道数：文本变长，得分不该变小。",
)
def root_of_the_keys(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return sum(_parts(q, k, r, u, v)) * (q.shape[1] / len(k)) ** 0.5


@exercise.misconception(
    en="Your second term is k·r. The *query* must meet the distance, q·r: the token that asks "
    "decides which distance counts.",
    zh="第二项写成了k·r。和距离做点积的应当是*查询*，即q·r：看重哪个距离，由提问的一方决定。",
)
def r_meets_the_key(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    words, _, favoured, by_distance = _parts(q, k, r, u, v)
    by_key = torch.einsum("jd,ijd->ij", k, r) / q.shape[1] ** 0.5
    return words + by_key + favoured + by_distance
