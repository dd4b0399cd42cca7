"""Exercise shaw_rows: from two positions to a row of a table of distances."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="shaw_rows",
    chapter="04_relative",
    title=Text(en="From a distance to a row", zh="从距离到行号"),
    task=Text(
        en=r"""A table has $2m+1$ rows, one for each relative position $-m,\dots,m$. For every
query at position $i$ and every key at position $j$, return the row
$\mathrm{clip}(j-i,-m,m)+m$.

In: `q_positions` of shape `(Lq,)`, `k_positions` of shape `(Lk,)`, integers, and `largest`, which
is $m$. Out: integers of shape `(Lq, Lk)`, each from $0$ to $2m$.""",
        zh=r"""一张表有$2m+1$行，相对位置$-m,\dots,m$各占一行。
对位置$i$上的每个查询和位置$j$上的每个键，
返回行号$\mathrm{clip}(j-i,-m,m)+m$。

输入：`q_positions`形状为`(Lq,)`，`k_positions`形状为`(Lk,)`，都是整数；`largest`就是$m$。
输出：形状为`(Lq, Lk)`的整数，每个都在$0$到$2m$之间。""",
    ),
    signature="shaw_rows(q_positions, k_positions, largest) -> (Lq, Lk)",
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
            en="`.clamp(-largest, largest)` clips. The order matters: with m = 2 a key 5 back must "
            "end in row 0, a key 5 ahead in row 4.",
            zh="`.clamp(-largest, largest)`用来截断。次序不能颠倒：m = 2时，"
            "查询之前第5个键应落在第0行，之后第5个键应落在第4行。",
        ),
    ),
)


@exercise.truth
def one_by_one(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    pairs = [[j - i for j in k_positions.tolist()] for i in q_positions.tolist()]
    return torch.tensor([[min(max(r, -largest), largest) + largest for r in row] for row in pairs])


@exercise.check(en="one integer for each pair", zh="每一对一个整数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((4, 4), (2, 5), (1, 3), (3, 1), (1, 1)):
        got = expect_shape(answer(torch.arange(queries), torch.arange(keys), 2), (queries, keys))
        expect(
            not got.is_floating_point(),
            f"the dtype is {got.dtype}; a row number chooses a row, so it must be an integer",
            f"dtype为{got.dtype}；行号要用来选行，应当是整数",
        )


@exercise.check(en="a token meets itself in the middle row", zh="词元与自身对应表的正中一行")
def middle(answer: Function, rng: torch.Generator) -> None:
    at = torch.randint(0, 50, (6,), generator=rng)
    got = expect_shape(answer(at, at, 3), (6, 6))
    expect(
        bool((got.diagonal() == 3).all()),
        f"distance 0 should choose row 3 of 0 … 6; you chose {got[0, 0]:g}",
        f"距离0应选0到6中的第3行；你选了{got[0, 0]:g}",
    )


@exercise.check(en="equals clip(j − i, ±m) + m", zh="等于clip(j − i, ±m) + m", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((6, 6), (2, 7), (9, 5)):  # anywhere, in any order, some twice
        q, k = (torch.randint(0, 12, (n,), generator=rng) for n in (queries, keys))
        largest = int(torch.randint(1, 9, (), generator=rng))
        expect_agreement(answer, exercise.true_answer, q, k, largest)
    far = int(torch.randint(3000, 9000, (), generator=rng)) + torch.arange(110)
    expect_agreement(answer, exercise.true_answer, far[-3:], far, 10 * largest)
    far += 2**31 + 2**15  # negative in int32 and in int16, and rounded in float32
    expect_agreement(answer, exercise.true_answer, far[-3:] % 50, far, largest)
    expect_agreement(answer, exercise.true_answer, far[-3:], far, 10 * largest)


@exercise.misconception(
    en="The numbers are right, but they are floats. A row number chooses a row of a table: "
    "`table[rows]` takes only integers.",
    zh="数都对，但类型是浮点数。行号要用来选表的一行：`table[rows]`只接受整数。",
)
def floats(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return one_by_one(q_positions, k_positions, largest).float()


@exercise.misconception(
    en="You took query − key. Shaw's tables, like this course, count key − query; with the other "
    "sign every token reads the row of its mirror image.",
    zh="你取了查询−键。Shaw的表和本课程一样，用键−查询；符号反了，每个词元查到的都是镜像那一行。",
)
def query_minus_key(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return one_by_one(-q_positions, -k_positions, largest)


@exercise.misconception(
    en="The + m is missing. A negative row counts from the end of the table: distance −1 silently "
    "reads the last row.",
    zh="漏了+m。负的行号会从表尾倒着数：距离−1会悄悄读到最后一行。",
)
def without_offset(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return (k_positions[None, :] - q_positions[:, None]).clamp(-largest, largest)


@exercise.misconception(
    en="Nothing is clipped: any pair further apart than m gets a row number outside 0 … 2m.",
    zh="没有截断：只要有一对词元相距超过m，行号就超出了0到2m。",
)
def without_clip(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return k_positions[None, :] - q_positions[:, None] + largest


@exercise.misconception(
    en="You clipped after adding m: the range is then −m … m again, and the token itself and all "
    "keys after it share row m.",
    zh="你先加m再截断：范围又成了−m到m，词元自己和它之后的键全挤进第m行。",
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
    en="You took the distance without its sign: the key before and the key after share a row. In "
    "the table each side has rows of its own.",
    zh="你取了绝对值，丢了正负号：前一个键和后一个键落在同一行。表里两侧各有自己的行。",
)
def unsigned(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return (k_positions[None, :] - q_positions[:, None]).abs().clamp(max=largest)


@exercise.misconception(
    en="You took the distance without its sign and added m: the rows below m, those of the keys "
    "before the query, are never read.",
    zh="你取了绝对值再加m：编号小于m的行，也就是查询之前的键所用的行，永远读不到。",
)
def unsigned_and_moved(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return unsigned(q_positions, k_positions, largest) + largest


@exercise.misconception(
    en="The last row is 2m − 1 here: a key m tokens ahead then shares the row of one m − 1 "
    "ahead. Such a table of "
    "2m rows is DeBERTa's; Shaw's has 2m + 1.",
    zh="这里最后一行是2m − 1：之后第m个词元和第m − 1个共用了一行。2m行的表是DeBERTa的；"
    "Shaw的有2m + 1行。",
)
def one_row_less(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return one_by_one(q_positions, k_positions, largest).clamp(max=2 * largest - 1)


@exercise.misconception(
    en="Only the upper end is clipped: a key more than m behind gets a negative row, and that "
    "reads from the end of the table without an error. Clip at −m, too.",
    zh="只截断了上端：更早、距离超过m的键得到负的行号，会从表的末尾取行，也不报错。−m那一端也要截断。",
)
def upper_end_only(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return (k_positions - q_positions[:, None]).clamp(max=largest) + largest


@exercise.misconception(
    en="You took the distance modulo 2m + 1: a far key wraps round and reads the row of a near "
    "one, even one on the other side. Clip it: on each side, far keys share the outermost row.",
    zh="你把距离对2m + 1取了模：远处的键绕回来，读到近处甚至另一个方向的行。应当截断："
    "每一侧远处的键共用最边上的一行。",
)
def wrapped(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    return (k_positions - q_positions[:, None] + largest) % (2 * largest + 1)


@exercise.misconception(
    en="You counted rows and columns instead of using the positions: queries that begin at 3000 "
    "are taken for the first ones.",
    zh="你数的是行号和列号，没有用给定的位置：从3000开始的查询，被当成了文本开头的几个。",
)
def row_and_column_numbers(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    keys, queries = torch.arange(len(k_positions)), torch.arange(len(q_positions))
    return one_by_one(queries, keys, largest)


@exercise.misconception(
    en="You clipped the *positions*, then subtracted: beyond m all tokens seem to be at one "
    "place. Clip the difference.",
    zh="你先截断了*位置*，再相减：超过m的词元好像都挤在同一处。应当截断的是差。",
)
def positions_clipped(q_positions: Tensor, k_positions: Tensor, largest: int) -> Tensor:
    keys, queries = k_positions.clamp(max=largest), q_positions.clamp(max=largest)
    return keys - queries[:, None] + largest
