"""Exercise key_minus_query: the distance between tokens, with the sign that this course uses."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="key_minus_query",
    chapter="00_start",
    title=Text(en="Key minus query", zh="键减查询"),
    task=Text(
        en=r"""For every query at position $i$ and every key at position $j$, return the
*relative position* $j-i$: negative for keys before the query, $0$ at its own position, positive for
keys after it.

In: `q_positions` of shape `(Lq,)` and `k_positions` of shape `(Lk,)`, integers; the two lengths
may differ. Out: a tensor of shape `(Lq, Lk)`, one row per query: for a query at 1 and
keys at 0 and 2 it is `[[-1, 1]]`.""",
        zh=r"""对位置$i$上的每个查询和位置$j$上的每个键，返回*相对位置*$j-i$：
键在查询之前为负，与查询同一位置为$0$，在查询之后为正。

输入：形状为`(Lq,)`的`q_positions`和形状为`(Lk,)`的`k_positions`，都是整数，两者长度可以不同。
输出：形状为`(Lq, Lk)`的张量，每个查询一行：查询在1、键在0和2时，结果是`[[-1, 1]]`。""",
    ),
    signature="key_minus_query(q_positions, k_positions) -> (Lq, Lk)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="Write down the result for queries at 0 and 1 and keys at 0, 1 and 2: two rows of "
            "three numbers.",
            zh="先在纸上写出查询在0、1，键在0、1、2时的结果：两行，每行三个数。",
        ),
        Text(
            en="A column `(Lq, 1)` and a row `(1, Lk)` broadcast to `(Lq, Lk)`. "
            "`x[:, None]` makes a column.",
            zh="一列`(Lq, 1)`和一行`(1, Lk)`会广播成`(Lq, Lk)`。`x[:, None]`得到一列。",
        ),
        Text(
            en="Write the keys as a row (1, Lk) and the queries as a column (Lq, 1): "
            "`k_positions[None, :] - …` — what comes after the minus?",
            zh="把键写成一行(1, Lk)，查询写成一列(Lq, 1)："
            "`k_positions[None, :] - …`，减号后面是什么？",
        ),
    ),
)


@exercise.truth
def one_by_one(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return torch.tensor([[j - i for j in k_positions.tolist()] for i in q_positions.tolist()])


@exercise.check(en="one row per query, one column per key", zh="每个查询一行，每个键一列")
def shape(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((5, 5), (2, 3), (1, 8)):
        expect_shape(answer(torch.arange(queries), torch.arange(keys)), (queries, keys))


@exercise.check(
    en="earlier keys are negative, later ones positive",
    zh="之前的键为负，之后的键为正",
    weight=2,
)
def sign(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(torch.arange(4), torch.arange(4)), (4, 4))
    expect(
        got[3, 0] < 0,
        "query 3, key 0: the key comes before the query, so the number must be negative; "
        f"yours is {got[3, 0]:g}",
        f"查询3、键0：键在查询之前，应为负数；你的结果是{got[3, 0]:g}",
    )
    expect(
        got[0, 3] > 0,
        "query 0, key 3: the key comes after the query, so the number must be positive; "
        f"yours is {got[0, 3]:g}",
        f"查询0、键3：键在查询之后，应为正数；你的结果是{got[0, 3]:g}",
    )


@exercise.check(en="equals j − i for any positions", zh="对任意位置都等于j − i", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((2, 3), (4, 4), (6, 1), (1, 1), (3, 101)):
        q = torch.randint(0, 100_000, (queries,), generator=rng)
        k = torch.randint(0, 100_000, (keys,), generator=rng)
        expect_agreement(answer, one_by_one, q, k)


@exercise.check(
    en="depends on the positions, not on row numbers: one query at position 7, as when a model "
    "generates text token by token",
    zh="看的是位置而不是行号：只有一个查询，在位置7，模型逐个词元生成文本时就是这样",
    weight=2,
)
def decoding(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, one_by_one, torch.tensor([7]), torch.arange(8))


@exercise.misconception(
    en="You computed query − key: earlier keys come out positive. This course, like T5's code, "
    "uses key − query everywhere.",
    zh="你算成了查询−键：之前的键成了正数。本课程和T5的代码一样，一律用键−查询。",
)
def query_minus_key(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return q_positions[:, None] - k_positions[None, :]


@exercise.misconception(
    en="You took the absolute value: three tokens back and three ahead both give 3, and the order "
    "is lost.",
    zh="你取了绝对值：之前第三个和之后第三个都得3，先后就分不清了。",
)
def without_sign(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return (k_positions[None, :] - q_positions[:, None]).abs()


@exercise.misconception(
    en="Rows and columns are swapped: shape (Lk, Lq). In attention each query has a row.",
    zh="行和列弄反了：形状成了(Lk, Lq)。在注意力里，每个查询占一行。",
)
def a_row_per_key(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return k_positions[:, None] - q_positions[None, :]


@exercise.misconception(
    en="You subtracted the vectors element by element. Every query meets every key: make the "
    "queries a column and the keys a row.",
    zh="你把两个向量逐个元素相减了。每个查询要和每个键各减一次：查询写成列，键写成行。",
)
def element_by_element(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return k_positions - q_positions


@exercise.misconception(
    en="You counted rows and columns instead of using the positions: a single query at position 7 "
    "is row 0, and no key seems to lie in its past.",
    zh="你用的是行号和列号，而不是位置：位置7上的单个查询行号是0，看起来没有一个键在它之前。",
)
def row_and_column_numbers(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return torch.arange(len(k_positions))[None, :] - torch.arange(len(q_positions))[:, None]


counted_once = exercise.misconception(
    en="You counted 0, 1, 2, … once, for queries and keys alike. There may be more keys than "
    "queries, and neither need begin at 0: take the positions that are passed.",
    zh="你只数了一遍0、1、2……，查询和键都用它。键可以比查询多，两者也不一定从0开始："
    "应当使用传入的位置。",
)


@counted_once
def row_numbers(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    rows = torch.arange(len(q_positions))
    return rows[None, :] - rows[:, None]


@counted_once
def column_numbers(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    columns = torch.arange(len(k_positions))
    return columns[None, :] - columns[:, None]


without_future = exercise.misconception(
    en="You put 0 where the key comes after the query, or above the diagonal. Hiding the future is "
    "a mask's work; here every query gets its distance to every key.",
    zh="键在查询之后的地方，或者对角线以上，你都填了0。遮住未来是掩码的事；"
    "这里每个查询到每个键的距离都要算。",
)


@without_future
def future_is_zero(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return (k_positions[None, :] - q_positions[:, None]).clamp(max=0)


@without_future
def lower_triangle(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return (k_positions[None, :] - q_positions[:, None]).tril()
