"""Exercise rel_shift_rows: each row slides one step less to the left than the row above it."""

import torch
from torch import Tensor
from torch.nn.functional import pad

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="rel_shift_rows",
    chapter="04_relative",
    title=Text(en="Rel-shift", zh="rel-shift：让各行滑动"),
    task=Text(
        en=r"""`x[i, c]` is the score of query $i$ for the key that is $L_k-1-c$ tokens back: the
columns run from the furthest distance to $0$. Rearrange the scores so that the columns are *keys*:
`out[i, j]` is the score of query $i$ for key $j$, wherever that key is not ahead of the query.

In: `x` of shape `(Lq, Lk)`, $L_q\le L_k$; with $L_k>L_q$ the first keys are *memory*, kept from an
earlier segment, and query $i$ is at $i+L_k-L_q$. Out: shape `(Lq, Lk)`. What is at keys
ahead is not checked: the causal mask removes it.

The published code needs neither a loop nor `gather`. It adds some numbers, drops some with one
slice, and reads the rest in rows again: find out which.""",
        zh=r"""`x[i, c]`是查询$i$对它之前第$L_k-1-c$个键的得分：各列从最远的距离一直排到$0$。
请改成按*键*排列：凡是键不在查询之后的地方，`out[i, j]`就是查询$i$对键$j$的得分。

输入：`x`形状为`(Lq, Lk)`，$L_q\le L_k$；$L_k>L_q$时，开头的键是*记忆*（memory），也就是上一个
片段留下的键，查询$i$位于$i+L_k-L_q$。输出：形状为`(Lq, Lk)`。查询之后的键处写什么不检查：
因果掩码会把它去掉。

公开的代码里既没有循环，也不用`gather`：补上几个数，用一次切片丢掉几个，再把剩下的按行重新读一遍。
请找出补的是哪些、丢的是哪些。""",
    ),
    signature="rel_shift_rows(x) -> (Lq, Lk)",
    points=3,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Write out x for three queries and three keys, each entry as its distance, and what "
            "you want below it. The last row is right already; each row above has to move one "
            "step further to the left than the row below it.",
            zh="取三个查询、三个键，把x的每个元素写成它的距离，下面写出想要的结果。"
            "最后一行本来就是对的；往上每一行都要比它下面那行多向左移一步。",
        ),
        Text(
            en="Rows of Lk + 1 numbers, read in rows of Lk: every new row then begins one number "
            "earlier in its old row. So lengthen each row by one number, on the left: "
            "`F.pad(x, (1, 0))`.",
            zh="每行Lk + 1个数，改成每行Lk个来读：新的每一行在旧行里的起点都比上一行早一个数。"
            "所以先给每行在左边补一个数：`F.pad(x, (1, 0))`。",
        ),
        Text(
            en="Now there are Lq numbers too many. The first row of the result begins where key 0 "
            "is: how many numbers of the padded first row come before that one? Drop that many, "
            "then `.view(Lq, Lk)`.",
            zh="现在多出了Lq个数。结果的第一行从键0开始：补过的第一行里，它前面有几个数？"
            "就丢掉几个，再`.view(Lq, Lk)`。",
        ),
    ),
)


def _seen(x: Tensor) -> Tensor:
    """Keep what a causal mask keeps."""
    queries, keys = x.shape
    return x.tril(keys - queries)


@exercise.truth
def by_index(x: Tensor) -> Tensor:
    queries, keys = x.shape
    out = torch.zeros_like(x)
    for i in range(queries):
        for j in range(i + keys - queries + 1):
            out[i, j] = x[i, j - i + queries - 1]
    return out


@exercise.counts
def up_to_the_query(result: Tensor, x: Tensor) -> Tensor:
    return _seen(result)


def _by_distance(rng: torch.Generator, queries: int, keys: int) -> Tensor:
    """Return scores, 0 where a text does not reach so far back: reading again puts those ahead."""
    x = _seen(torch.randn(queries, keys, generator=rng)).flip(1)
    return x.T.contiguous().T  # not contiguous, as a product may be


@exercise.check(en="as many rows and columns as before", zh="行数列数不变")
def shape(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((3, 3), (2, 5), (1, 4), (1, 1)):
        expect_shape(answer(_by_distance(rng, queries, keys)), (queries, keys))


@exercise.check(
    en="distance 0 lands on the diagonal, distance 1 to the left of it",
    zh="距离0落在对角线上，距离1落在它左边",
    weight=2,
)
def distances(answer: Function, rng: torch.Generator) -> None:
    length = int(torch.randint(4, 9, (), generator=rng))
    back = torch.arange(length - 1.0, -1, -1).expand(length, length).contiguous()
    got = expect_shape(answer(back), (length, length))
    i = torch.arange(float(length))
    expect_close(_seen(got), (i[:, None] - i).tril())


@exercise.check(
    en="each query has the scores of its own keys, with and without memory",
    zh="每个查询都得到自己那些键的得分，有无记忆都对",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    queries, memory = torch.randint(2, 7, (2,), generator=rng).tolist()
    for shape in ((4, 4), (queries, queries + memory), (1, 5), (6, 8), (3, 120)):
        x = _by_distance(rng, *shape)
        expect_close(_seen(expect_shape(answer(x), shape)), exercise.true_answer(x))


@exercise.misconception(
    en="The rows did not move: column c still means a distance, not a key. Only the last row is "
    "right.",
    zh="各行没有移动：第c列仍然表示距离，不是键。只有最后一行碰巧是对的。",
)
def unmoved(x: Tensor) -> Tensor:
    return x.clone()


@exercise.misconception(
    en="Every row slid one step too far: distance 0 is left of the diagonal. That happens when "
    "the column is added on the right, or one number too many is dropped.",
    zh="每一行都多滑了一步：距离0跑到了对角线左边。把那一列补在了右边，或者多丢了一个数，就会这样。",
)
def one_step_too_far(x: Tensor) -> Tensor:
    queries, keys = x.shape
    return pad(x, (0, 1)).flatten()[queries:].view(queries, keys)


@exercise.misconception(
    en="The rows slide the wrong way: row i has to move Lq − 1 − i steps to the *left*, so that "
    "the diagonal gets distance 0.",
    zh="滑动的方向反了：第i行应当向*左*移Lq − 1 − i步，这样对角线上才是距离0。",
)
def wrong_way(x: Tensor) -> Tensor:
    queries, _ = x.shape
    return torch.stack([x[i].roll(queries - 1 - i) for i in range(queries)])


@exercise.misconception(
    en="You dropped only one number, but one for every row has to go: each row begins Lq − 1 "
    "numbers too early.",
    zh="你只丢了一个数，应当有几行就丢几个：每一行都从早了Lq − 1个数的地方开始读。",
)
def cut_one(x: Tensor) -> Tensor:
    queries, keys = x.shape
    return pad(x, (1, 0)).flatten()[1 : 1 + queries * keys].view(queries, keys)


@exercise.misconception(
    en="You reversed the columns. That turns every row the same way, and only a few numbers "
    "come out right, by chance; row i has to slide Lq − 1 − i steps to the left.",
    zh="你把列倒过来了：每一行都同样颠倒，只有零星几个数碰巧是对的。第i行应当向左滑Lq − 1 − i步。",
)
def reversed_columns(x: Tensor) -> Tensor:
    return x.flip(1)


@exercise.misconception(
    en="You cut at the end: every row then begins too early, and slides to the right. The first "
    "Lq numbers have to go.",
    zh="你切的是末尾：每一行都读早了，变成向右滑。该丢掉的是开头的Lq个数。",
)
def cut_end(x: Tensor) -> Tensor:
    queries, keys = x.shape
    return pad(x, (1, 0)).flatten()[:-queries].view(queries, keys)


@exercise.misconception(
    en="Row i slides i steps, so the last row moves most. The first must move most, by Lq − 1 "
    "steps; the last stays.",
    zh="第i行滑了i步，最后一行动得最多。应当是第一行动得最多，滑Lq − 1步；最后一行不动。",
)
def slides_i(x: Tensor) -> Tensor:
    return torch.stack([row.roll(-i) for i, row in enumerate(x)])


@exercise.misconception(
    en="Right only without memory: the column is j − i + Lq − 1, and you took Lk for Lq.",
    zh="只在没有记忆时对：列号是j − i + Lq − 1，你把Lq写成了Lk。",
)
def keys_for_queries(x: Tensor) -> Tensor:
    queries, keys = x.shape
    column = torch.arange(keys) - torch.arange(queries)[:, None] + keys - 1
    return x.gather(1, column.clamp(max=keys - 1))


@exercise.misconception(
    en="You read column i − j, the distance itself. The columns run the other way, from the "
    "furthest to 0: distance d lies in column Lk − 1 − d.",
    zh="你把距离i − j直接当成了列号。各列是倒过来排的，从最远到0：距离d在第Lk − 1 − d列。",
)
def distance_as_column(x: Tensor) -> Tensor:
    queries, keys = x.shape
    distance = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return x.gather(1, distance.clamp(0, keys - 1))


@exercise.misconception(
    en="Every row begins one column too late, and the last column is clamped: key j is at column "
    "j − i + Lq − 1.",
    zh="每一行都晚了一列开始，超出的又截到了最后一列：键j在第j − i + Lq − 1列。",
)
def clamped_too_far(x: Tensor) -> Tensor:
    queries, keys = x.shape
    column = torch.arange(keys) - torch.arange(queries)[:, None] + queries
    return x.gather(1, column.clamp(0, keys - 1))


@exercise.misconception(
    en="You took column j + i − Lq + 1: the sign of the shift Lq − 1 − i is reversed, and each row "
    "begins one column further right than the one above, not further left. Key j of query i is at "
    "column j − i + Lq − 1.",
    zh="你取的是第j + i − Lq + 1列：位移Lq − 1 − i整个反了号，每一行都比上一行往右一列开始，"
    "本应往左一列。"
    "查询i的键j在第j − i + Lq − 1列。",
)
def sign_of_the_query(x: Tensor) -> Tensor:
    queries, keys = x.shape
    column = torch.arange(keys) + torch.arange(queries)[:, None] - queries + 1
    return x.gather(1, column.clamp(0, keys - 1))
