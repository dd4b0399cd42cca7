"""Exercise local_mask: a window that keeps the first tokens, as a mask by position."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="local_mask",
    chapter="08_kv_cache",
    title=Text(en="The mask of a local layer", zh="局部层的掩码"),
    task=Text(
        en=r"""Return the mask of a layer with a window of $w$ tokens and $s$ sinks, boolean, True
where a query (row) may look. A query never looks at a key after itself. It looks at a key at or
before its own position if that key is among the $w$ positions that end with the query's own, or if
its position is below $s$.

In: `q_positions` `(Lq,)` and `k_positions` `(Lk,)`, int64, each in any order and with gaps;
`window` is $w\ge1$, `sinks` is $s\ge0$. Out: `(Lq, Lk)`, boolean.""",
        zh=r"""返回某一层的掩码：窗口为$w$个词元，另有$s$个汇点。布尔值，查询（行）可以看的地方为True。
查询不能看自己之后的键；其余的键里，能看以自己结尾的$w$个位置，以及位置小于$s$的每个键。

输入：`q_positions`，形状`(Lq,)`；`k_positions`，形状`(Lk,)`；都是int64，次序任意，可有缺口；
`window`就是$w\ge1$，`sinks`就是$s\ge0$。输出：形状`(Lq, Lk)`，布尔值。""",
    ),
    signature="local_mask(q_positions, k_positions, window, sinks) -> (Lq, Lk)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Write the row of query 5 with w = 2 and s = 1 by hand: keys 0 to 7. Three of them "
            "are True.",
            zh="先手写查询5的那一行：w = 2，s = 1，键0到7。有三个是True。",
        ),
        Text(
            en="Three conditions on positions: not after the query; near; a sink. Which two are "
            "joined by “or”?",
            zh="对位置有三个条件：不在查询之后；够近；是汇点。其中哪两个之间是“或”？",
        ),
        Text(
            en="With `back = q_positions[:, None] - k_positions`: `back >= 0`, `back < window`, "
            "`k_positions < sinks`. Put brackets round each of them: & binds more tightly than <.",
            zh="令`back = q_positions[:, None] - k_positions`，"
            "三个条件是`back >= 0`、`back < window`、`k_positions < sinks`。每个都加上括号："
            "&的优先级高于<。",
        ),
    ),
)


@exercise.truth
def pair_by_pair(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    rows = [
        [k <= q and (q - k < window or k < sinks) for k in k_positions.tolist()]
        for q in q_positions.tolist()
    ]
    return torch.tensor(rows)


def _back(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Return query minus key, (Lq, Lk)."""
    return q_positions[:, None] - k_positions


def _compare(answer: Function, *inputs: Tensor | int) -> None:
    want = exercise.true_answer(*inputs)
    got = expect_dtype(expect_shape(answer(*inputs), tuple(want.shape)), torch.bool)
    expect_close(got, want, rtol=0, atol=0)


def _shuffled(rng: torch.Generator, count: int, first: int, most: int) -> Tensor:
    """Return `count` positions from `first` on, in any order and with gaps."""
    return first + torch.randperm(most - first, generator=rng)[:count]


@exercise.check(en="a row for each query, booleans", zh="每个查询一行，元素是布尔值")
def shape(answer: Function, rng: torch.Generator) -> None:
    got = answer(torch.arange(3, 6), torch.arange(8), 2, 1)
    expect_dtype(expect_shape(got, (3, 8)), torch.bool)


@exercise.check(en="a window alone, in one pass over a text", zh="只有窗口，一次算完", weight=2)
def window_alone(answer: Function, rng: torch.Generator) -> None:
    length = int(torch.randint(6, 20, (), generator=rng))
    for window in (1, 3, length + 2):
        _compare(answer, torch.arange(length), torch.arange(length), window, 0)


@exercise.check(
    en="with sinks, which a query before them does not see",
    zh="加上汇点，而查询看不到它之后的汇点",
    weight=2,
)
def with_sinks(answer: Function, rng: torch.Generator) -> None:
    length = int(torch.randint(8, 20, (), generator=rng))
    for window, sinks in ((2, 3), (1, 1), (3, length)):
        _compare(answer, torch.arange(length), torch.arange(length), window, sinks)


@exercise.check(
    en="by position, whatever column a key is in",
    zh="按位置来算，不管键在第几列",
    weight=3,
)
def by_position(answer: Function, rng: torch.Generator) -> None:
    for first, most, window, sinks in ((4, 30, 6, 7), (0, 24, 5, 4), (3001, 3031, 7, 2)):
        keys = _shuffled(rng, 15, first, most)
        queries = _shuffled(rng, 6, first, most)
        _compare(answer, queries, keys, window, sinks)
        _compare(answer, keys, keys, window, sinks)
        _compare(answer, keys.max()[None], keys, window, sinks)  # one step of decoding


@exercise.misconception(
    en="The window is one too wide: the w positions that end with the query's own are those less "
    "than w back.",
    zh="窗口宽了一格：以查询自己结尾的w个位置，就是相距小于w的那些。",
)
def one_too_wide(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back >= 0) & ((back <= window) | (k_positions < sinks))


@exercise.misconception(
    en="No query sees itself: the causal condition is `>= 0`, not `> 0`.",
    zh="查询看不到自己了：因果条件应是`>= 0`，不是`> 0`。",
)
def without_itself(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back > 0) & ((back < window) | (k_positions < sinks))


def _before(back: Tensor, window: int) -> Tensor:
    return (back > 0) & (back <= window)


@exercise.misconception(
    en="Your window is the w positions *before* the query, so that nothing but a sink sees itself. "
    "It should end with the query's own: `(back >= 0) & (back < window)`, not `(back > 0) & (back "
    "<= window)`.",
    zh="你的窗口是查询*之前*的w个位置，于是除汇点外，谁也看不到自己。窗口应以查询自己结尾："
    "是`(back >= 0) & (back < window)`，不是`(back > 0) & (back <= window)`。",
)
def window_before(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return _before(back, window) | ((back >= 0) & (k_positions < sinks))


@exercise.misconception(
    en="Both bounds of the window are one off, `> 0` and `<=`: no query sees itself, and each sees "
    "one position too far back. It is `(back >= 0) & (back < window)`.",
    zh="窗口的两个界限都差了1，写成了`> 0`和`<=`：查询看不到自己，却多看了最早的一个位置。"
    "应为`(back >= 0) & (back < window)`。",
)
def window_and_sinks_before(
    q_positions: Tensor, k_positions: Tensor, window: int, sinks: int
) -> Tensor:
    back = _back(q_positions, k_positions)
    return _before(back, window) | ((back > 0) & (k_positions < sinks))


@exercise.misconception(
    en="You counted sinks from the smallest position *in the cache*. A sink is a key whose own "
    "position is below s, whether position 0 is in the cache or not.",
    zh="你从*缓存里*最小的位置起数汇点。汇点是自身位置小于s的键，不管缓存里有没有位置0。",
)
def sinks_from_the_first(
    q_positions: Tensor, k_positions: Tensor, window: int, sinks: int
) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back >= 0) & ((back < window) | (k_positions - k_positions.min() < sinks))


@exercise.misconception(
    en="The window is one too narrow: the query itself is one of the w.",
    zh="窗口窄了一格：查询自己也算在w个之内。",
)
def one_too_narrow(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back >= 0) & ((back < window - 1) | (k_positions < sinks))


@exercise.misconception(
    en="The future is visible: you said how far back a query sees, not that it sees nothing after "
    "itself.",
    zh="未来看得见了：你只规定了往过去能看多远，没有规定看不到自己之后的键。",
)
def sees_the_future(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    return (_back(q_positions, k_positions) < window) | (k_positions < sinks)


@exercise.misconception(
    en="The window lies on both sides: |q − k| < w is an encoder's. A query here sees no key after "
    "itself.",
    zh="窗口向两边开了：|q − k| < w是编码器用的。这里查询看不到自己之后的键。",
)
def both_sides(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back.abs() < window) | ((k_positions < sinks) & (back >= 0))


@exercise.misconception(
    en="Sinks are visible to queries before them: the causal condition holds for sinks too. "
    "`near & causal | sink` lets token 0 see sink 3.",
    zh="汇点之前的查询也看见了汇点，而因果条件对汇点同样有效。"
    "`near & causal | sink`会让词元0看见汇点3。",
)
def sinks_ahead(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return ((back >= 0) & (back < window)) | (k_positions < sinks)


@exercise.misconception(
    en="You joined window and sinks by “and”: only a sink inside the window remains.",
    zh="窗口和汇点之间用了“且”：只剩下窗口里的汇点。",
)
def both_at_once(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back >= 0) & (back < window) & (k_positions < sinks)


@exercise.misconception(
    en="Sinks are the first *columns* in your mask. After eviction, or in a part of a text, column "
    "0 need not be position 0.",
    zh="你把最前面的几*列*当作汇点。驱逐之后，或只有文本的一段时，第0列未必是位置0。",
)
def sinks_by_column(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back >= 0) & ((back < window) | (torch.arange(len(k_positions)) < sinks))


@exercise.misconception(
    en="You took columns for positions. In a cache with gaps the last w columns reach further "
    "than w positions.",
    zh="你用列号代替了位置。缓存有缺口时，最后w列跨过的位置不止w个。",
)
def by_column(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    keys = torch.arange(len(k_positions))
    back = (keys[-1] + 1 - len(q_positions) + torch.arange(len(q_positions)))[:, None] - keys
    return (back >= 0) & ((back < window) | (keys < sinks))


@exercise.misconception(
    en="One sink too many: with s = 1 position 0 alone is a sink, k < s.",
    zh="汇点多了一个：s = 1时只有位置0是汇点，即k < s。",
)
def one_sink_more(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back >= 0) & ((back < window) | (k_positions <= sinks))


@exercise.misconception(
    en="The sinks are missing: this is a window alone, which hides the first tokens.",
    zh="漏了汇点：这只是一个窗口，最前面的词元都看不到了。",
)
def no_sinks(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back >= 0) & (back < window)


@exercise.misconception(
    en="The window is missing: every earlier key is visible. That is the causal mask of a global "
    "layer.",
    zh="漏了窗口：更早的键全都看得见。这是全局层的因果掩码。",
)
def no_window(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    return _back(q_positions, k_positions) >= 0


@exercise.misconception(
    en="The polarity is reversed: True is where a query may look.",
    zh="极性反了：True表示可以看。",
)
def forbidden(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    return (back < 0) | ((back >= window) & (k_positions >= sinks))


@exercise.misconception(
    en="You used key minus query with the signs of query minus key: the window lies in the future.",
    zh="用了键减查询，符号却按查询减键来写：窗口跑到未来去了。",
)
def window_ahead(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    ahead = -_back(q_positions, k_positions)
    return (ahead >= 0) & ((ahead < window) | (k_positions < sinks))


@exercise.misconception(
    en="You numbered both the queries and the keys 0, 1, 2, … and did not read their positions: "
    "these may begin anywhere, jump, and come in any order.",
    zh="你把查询和键都按0、1、2……编号，没有看它们的位置：位置可以从任何地方开始，有跳跃，次序也任意。",
)
def by_row_and_column(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    rows, columns = torch.arange(len(q_positions)), torch.arange(len(k_positions))
    return pair_by_pair(rows, columns, window, sinks)


@exercise.misconception(
    en="You take the w latest *keys*. Where positions have gaps they reach further back than w "
    "positions.",
    zh="你取的是最近的w个*键*。位置有缺口时，它们跨过的位置不止w个。",
)
def latest_keys(q_positions: Tensor, k_positions: Tensor, window: int, sinks: int) -> Tensor:
    back = _back(q_positions, k_positions)
    nearer = (back[:, :, None] > back[:, None, :]) & (back[:, None, :] >= 0)  # (Lq, Lk, Lk)
    return (back >= 0) & ((nearer.sum(-1) < window) | (k_positions < sinks))
