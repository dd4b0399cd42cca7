"""Exercise clipped_rows: from two positions to a row of a table of distances."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clipped_rows",
    chapter="04_relative",
    title=Text(en="From a distance to a row", zh="从距离到行号"),
    task=Text(
        en=r"""A table has $2m+1$ rows, one for each relative position $-m,\dots,m$. For every
query at position $i$ and every key at position $j$, return the row
$\mathrm{clip}(j-i,-m,m)+m$.

In: `q_positions` of shape `(Lq,)`, `k_positions` of shape `(Lk,)`, integers, and `largest`, which
is $m$. Out: integers of shape `(Lq, Lk)`, each from $0$ to $2m$.""",
        zh=r"""一张表有$2m+1$行，相对位置$-m,\dots,m$各占一行。对位置$i$上的每个查询和位置$j$上的每个键，
返回行号$\mathrm{clip}(j-i,-m,m)+m$。

输入：`q_positions`形状为`(Lq,)`，`k_positions`形状为`(Lk,)`，都是整数；`largest`就是$m$。
输出：形状为`(Lq, Lk)`的整数，每个都在$0$到$2m$之间。""",
    ),
    signature="clipped_rows(q_positions, k_positions, largest) -> (Lq, Lk)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="Three steps: key minus query, clip, move so that the smallest becomes 0.",
            zh="分三步：键减查询，截断，再整体平移，让最小的那个变成0。",
        ),
        Text(
            en="A row `(1, Lk)` minus a column `(Lq, 1)` broadcasts to `(Lq, Lk)`.",
            zh="一行`(1, Lk)`减去一列`(Lq, 1)`，会广播成`(Lq, Lk)`。",
        ),
        Text(
            en="`relative.clamp(-largest, largest) + largest`, with "
            "`relative = k_positions[None, :] - …`.",
            zh="`relative.clamp(-largest, largest) + largest`，其中"
            "`relative = k_positions[None, :] - …`。",
        ),
    ),
)


def _rows(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    pairs = [[j - i for j in k_positions.tolist()] for i in q_positions.tolist()]
    return torch.tensor([[min(max(r, -largest), largest) + largest for r in row] for row in pairs])


@exercise.check(en="one row for each pair", zh="每一对一个行号")
def shape(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((4, 4), (2, 5), (1, 3)):
        expect_shape(answer(torch.arange(queries), torch.arange(keys), 2), (queries, keys))


@exercise.check(en="a token meets itself in the middle row", zh="词元与自身对应表的正中一行")
def middle(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(torch.arange(6), torch.arange(6), 3), (6, 6))
    expect(
        bool((got.diagonal() == 3).all()),
        f"distance 0 should choose row 3 of 0 … 6; you chose {got[0, 0]:g}",
        f"距离0应选0到6中的第3行；你选了{got[0, 0]:g}",
    )


@exercise.check(en="equals clip(j − i, ±m) + m", zh="等于clip(j − i, ±m) + m", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    for queries, keys, largest in ((6, 6, 3), (2, 7, 1), (5, 9, 16)):
        q = torch.randint(0, 12, (queries,), generator=rng)
        k = torch.randint(0, 12, (keys,), generator=rng)
        expect_close(answer(q, k, largest), _rows(q, k, largest))


@exercise.misconception(
    en="You took query − key. Shaw's tables, like this course, count key − query; with the other "
    "sign every token reads the row of its mirror image.",
    zh="你取了查询−键。Shaw的表和本课程一样，用键−查询；符号反了，每个词元查到的都是镜像那一行。",
)
def query_minus_key(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    relative = q_positions[:, None] - k_positions[None, :]
    return relative.clamp(-largest, largest) + largest


@exercise.misconception(
    en="The + m is missing. A negative row counts from the end of the table: distance −1 silently "
    "reads the last row.",
    zh="漏了+m。负的行号会从表尾倒着数：距离−1会悄悄读到最后一行。",
)
def without_offset(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return (k_positions[None, :] - q_positions[:, None]).clamp(-largest, largest)


@exercise.misconception(
    en="Nothing is clipped: the first pair further apart than m reads outside the table.",
    zh="没有截断：只要有一对词元相距超过m，就读到表外去了。",
)
def without_clip(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return k_positions[None, :] - q_positions[:, None] + largest


@exercise.misconception(
    en="You clipped after adding m: the range is then −m … m again, and all of the future beyond "
    "the token itself shares one row.",
    zh="你先加m再截断：范围又成了−m到m，词元自身以后的未来全挤在一行里。",
)
def clip_last(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    relative = k_positions[None, :] - q_positions[:, None]
    return (relative + largest).clamp(-largest, largest)


@exercise.misconception(
    en="You clipped to 0 … 2m without moving: every key before the query falls into row 0. Add m "
    "to the difference first.",
    zh="你直接截断到0到2m，没有平移：查询之前的键全落进第0行。要先给差值加上m。",
)
def unmoved(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return (k_positions[None, :] - q_positions[:, None]).clamp(0, 2 * largest)


@exercise.misconception(
    en="You took the distance without its sign: the key before and the key after share a row. The "
    "table has a row for each side.",
    zh="你取了绝对值，丢了正负号：前一个键和后一个键落在同一行。表里两侧各有自己的行。",
)
def unsigned(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return (k_positions[None, :] - q_positions[:, None]).abs().clamp(max=largest)
