"""Exercise slid_rows: rel-shift, every row slides by one more than the row above it."""

import torch
from torch import Tensor
from torch.nn.functional import pad

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="slid_rows",
    chapter="04_relative",
    title=Text(en="Rel-shift", zh="rel-shift：让各行滑动"),
    task=Text(
        en=r"""`x[i, c]` is the score of query $i$ for a key $L_k-1-c$ tokens back: the columns run
from the furthest distance to $0$. Sort the scores by *key*: return `out` with
`out[i, j] = x[i, j - i + Lq - 1]` wherever the key is not ahead of the query, that is for
$j\le i+L_k-L_q$.

In: `x` of shape `(Lq, Lk)`, $L_q\le L_k$; with $L_k>L_q$ the first keys are *memory*, kept from an
earlier segment, and query $i$ stands at $i+L_k-L_q$. Out: shape `(Lq, Lk)`. What stands at keys
ahead is not checked: the causal mask removes it. Try it without an index: pad, cut, read again.""",
        zh=r"""`x[i, c]`是查询$i$对往前$L_k-1-c$个词元处的键的得分：各列从最远的距离一直排到$0$。
请改成按*键*排列：凡是键不在查询之后的地方，即$j\le i+L_k-L_q$，返回的`out`应满足
`out[i, j] = x[i, j - i + Lq - 1]`。

输入：`x`形状为`(Lq, Lk)`，$L_q\le L_k$；$L_k>L_q$时，开头的键是*记忆*（memory），也就是上一段
留下的键，查询$i$位于$i+L_k-L_q$。输出：形状为`(Lq, Lk)`。查询之后的键处写什么不检查：
因果掩码会把它去掉。试试不用下标：补一列，切掉开头，重新读。""",
    ),
    signature="slid_rows(x) -> (Lq, Lk)",
    points=3,
    difficulty=3,
    minutes=10,
    hints=(
        Text(
            en="The last row is right already. Each row above has to move one step further to the "
            "left than the row below it.",
            zh="最后一行本来就是对的。往上每一行都要比它下面那行多向左移一步。",
        ),
        Text(
            en="Pad one column on the left: `F.pad(x, (1, 0))`, rows of length Lk + 1. Now read "
            "the same numbers in rows of length Lk, from where on?",
            zh="左边补一列：`F.pad(x, (1, 0))`，每行长Lk + 1。"
            "再把同一串数按每行Lk个来读，该从哪里开始？",
        ),
        Text(
            en="`F.pad(x, (1, 0)).flatten()[Lq:].view(Lq, Lk)`: drop as many numbers as there are "
            "rows.",
            zh="`F.pad(x, (1, 0)).flatten()[Lq:].view(Lq, Lk)`：有几行就丢掉开头几个数。",
        ),
    ),
)


def _seen(x: Tensor) -> Tensor:
    """Keep what a causal mask keeps."""
    queries, keys = x.shape
    return x.tril(keys - queries)


def _by_index(x: Tensor) -> Tensor:
    queries, keys = x.shape
    out = torch.zeros(queries, keys)
    for i in range(queries):
        for j in range(i + keys - queries + 1):
            out[i, j] = x[i, j - i + queries - 1]
    return out


@exercise.check(en="as many rows and columns as before", zh="行数列数不变")
def shape(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((3, 3), (2, 5), (1, 4)):
        expect_shape(answer(torch.randn(queries, keys, generator=rng)), (queries, keys))


@exercise.check(
    en="0 tokens back lands on the diagonal, 1 beside it",
    zh="往前0个词元落在对角线上，1个落在它左边",
    weight=2,
)
def distances(answer: Function, rng: torch.Generator) -> None:
    back = torch.tensor([4.0, 3, 2, 1, 0]).expand(5, 5)
    got = expect_shape(answer(back.clone()), (5, 5))
    i = torch.arange(5.0)
    expect_close(got.tril(), (i[:, None] - i).tril())


@exercise.check(
    en="equals the formula, with and without memory", zh="与公式一致，有无记忆都对", weight=4
)
def values(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((4, 4), (3, 7), (1, 5), (6, 8)):
        x = torch.randn(queries, keys, generator=rng)
        expect_close(_seen(expect_shape(answer(x), (queries, keys))), _by_index(x))


@exercise.misconception(
    en="The rows did not move: column c still means a distance, not a key. Only the last row is "
    "right.",
    zh="各行没有移动：第c列仍然表示距离，不是键。只有最后一行碰巧是对的。",
)
def unmoved(x: Tensor) -> Tensor:
    return x.clone()


@exercise.misconception(
    en="You padded on the right. The rows slide, but one step too far: distance 0 comes to stand "
    "left of the diagonal.",
    zh="你补在了右边。各行会滑动，但多滑了一步：距离0跑到了对角线左边。",
)
def padded_right(x: Tensor) -> Tensor:
    queries, keys = x.shape
    return pad(x, (0, 1)).flatten()[queries:].view(queries, keys)


@exercise.misconception(
    en="The rows slide the wrong way: row i has to move Lq − 1 − i steps to the *left*.",
    zh="滑动的方向反了：第i行应当向*左*移Lq − 1 − i步。",
)
def wrong_way(x: Tensor) -> Tensor:
    queries, _ = x.shape
    return torch.stack([x[i].roll(queries - 1 - i) for i in range(queries)])


@exercise.misconception(
    en="You cut one number instead of one per row: all rows slid by the same wrong amount.",
    zh="你只切掉了一个数，应当每行切掉一个：各行移动的步数就都不对了。",
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
    en="Row i slides i steps, so the last row moves most. It is the first that moves most, by "
    "Lq − 1 steps; the last stays.",
    zh="第i行滑了i步，最后一行动得最多。应当是第一行动得最多，滑Lq − 1步；最后一行不动。",
)
def slides_i(x: Tensor) -> Tensor:
    return torch.stack([row.roll(-i) for i, row in enumerate(x)])


@exercise.misconception(
    en="Right without memory alone: the column is j − i + Lq − 1, and you took Lk for Lq.",
    zh="只在没有记忆时对：列号是j − i + Lq − 1，你把Lq写成了Lk。",
)
def keys_for_queries(x: Tensor) -> Tensor:
    queries, keys = x.shape
    column = torch.arange(keys) - torch.arange(queries)[:, None] + keys - 1
    return x.gather(1, column.clamp(max=keys - 1))
