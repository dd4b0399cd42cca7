"""Exercise mend_clamped_end: cut the text, not the positions."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="mend_clamped_end",
    chapter="03_learned",
    title=Text(en="Fix: the crowd on the last row", zh="改错：挤在最后一行"),
    task=Text(
        en=r"""Fix `never_crashes`: when a text is longer than the table, keep its *last* $N$
tokens, the newest ones, and count their positions from 0. A shorter text stays as it is.

In: `tokens` $(B,L)$; `words` $(V,d)$; `table` $(N,d)$. Out: words plus positions, shape
$(B,\min(L,N),d)$.""",
        zh=r"""修好`never_crashes`：文本比表长时，只留*最后*$N$个词元，也就是最新的那些，
位置从0重新数起。较短的文本保持原样。

输入：`tokens` $(B,L)$；`words` $(V,d)$；`table` $(N,d)$。
输出：词加位置，形状为$(B,\min(L,N),d)$。""",
    ),
    signature="mend_clamped_end(tokens, words, table) -> (B, min(L, N), d)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="Which tokens does the next word depend on most: the first ones or the last ones?",
            zh="下一个词最依赖哪些词元：最前面的，还是最后面的？",
        ),
        Text(
            en="A negative start takes from the end: `tokens[:, -n:]`, and takes all of them if "
            "there are fewer than n.",
            zh="负的起点从末尾取：`tokens[:, -n:]`；不足n个时就全取。",
        ),
        Text(
            en="Cut the text first; how many rows of the table does what is left need?",
            zh="先截断文本；剩下的词元需要表里的多少行？",
        ),
    ),
)


@exercise.truth
def newest_tokens(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    fit = min(tokens.shape[1], len(table))
    first = tokens.shape[1] - fit
    return torch.stack([words[tokens[:, first + t]] + table[t] for t in range(fit)], dim=1)


def _case(
    length: int, rows: int, rng: torch.Generator, batch: int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    tokens = torch.randint(7, (batch, length), generator=rng)
    return tokens, torch.randn(7, 6, generator=rng), torch.randn(rows, 6, generator=rng)


@exercise.check(en="min(L, N) vectors", zh="min(L, N)个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, rows, batch in ((9, 4, 2), (3, 5, 2), (9, 4, 1), (4, 1, 2)):
        inputs = _case(length, rows, rng, batch)
        expect_shape(answer(*inputs), (batch, min(length, rows), 6))


@exercise.check(
    en="a text that fits stays whole, from row 0", zh="放得下的文本完整保留，从第0行数起"
)
def short(answer: Function, rng: torch.Generator) -> None:
    for length, rows in ((3, 5), (4, 4), (1, 6), (101, 120)):
        expect_agreement(answer, newest_tokens, *_case(length, rows, rng))


@exercise.check(
    en="of a longer text the newest tokens stay, each at a position of its own",
    zh="放不下时留下最新的词元，各有各的位置",
    weight=3,
)
def long(answer: Function, rng: torch.Generator) -> None:
    more = int(torch.randint(1, 30, (), generator=rng))
    for length, rows, batch in ((9, 4, 3), (5, 4, 1), (11, 1, 2), (101 + more, 101, 2)):
        expect_agreement(answer, newest_tokens, *_case(length, rows, rng, batch))


@exercise.misconception(
    en="Still the broken version: all tokens past the end share the last row, so their order is "
    "lost, and nothing says so.",
    zh="还是有错的那个版本：超出末尾的词元都用最后一行，它们的顺序就丢了，而且不报错。",
)
def unchanged(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    rows = torch.arange(tokens.shape[1]).clamp(max=len(table) - 1)
    return words[tokens] + table[rows]


@exercise.misconception(
    en="The *first* tokens stay: the newest ones, on which the next word depends most, are gone.",
    zh="留下的是*最前面*的词元：最新的、下一个词最依赖的那些被丢掉了。",
)
def keeps_the_first(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    tokens = tokens[:, : len(table)]
    return words[tokens] + table[: tokens.shape[1]]


@exercise.misconception(
    en="Positions wrap round: token N gets row 0 again, and two tokens of one text share a row.",
    zh="位置绕回去了：第N个词元又取第0行，同一段文本里有两个词元共用一行。",
)
def wraps(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    rows = torch.arange(tokens.shape[1]) % len(table)
    return words[tokens] + table[rows]


@exercise.misconception(
    en="A short text was pushed to the end of the table: its first token must have row 0.",
    zh="短文本被推到了表的末尾：它的第一个词元应取第0行。",
)
def right_aligned(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    tokens = tokens[:, -len(table) :]
    return words[tokens] + table[len(table) - tokens.shape[1] :]


@exercise.misconception(
    en="For a text shorter than the table, L − N is negative, and a slice then counts from the "
    "end: tokens may be lost. Start at max(L − N, 0).",
    zh="文本比表短时，L−N是负数，切片就从末尾数起，可能丢掉词元。起点应是max(L−N, 0)。",
)
def negative_start(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    tokens = tokens[:, tokens.shape[1] - len(table) :]
    return words[tokens] + table[: tokens.shape[1]]


@exercise.misconception(
    en="The text was cut, but all N rows of the table were added: a text of fewer tokens does not "
    "fit, and a single token is even repeated N times. Take as many rows as there are tokens.",
    zh="文本截断了，却加上了表的全部N行：较短的文本对不上，只有一个词元时还会被重复N次。"
    "有多少词元就取多少行。",
)
def whole_table(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    return words[tokens[:, -len(table) :]] + table


@exercise.misconception(
    en="You cut after adding: the newest tokens stay, but with the rows that they had in the long "
    "text: all those past the end share the last row. Cut the tokens first, then count from 0.",
    zh="你是加完才截断的：留下的确实是最新的词元，位置却还是长文本里的，超出末尾的都挤在最后一行。"
    "先截断词元，再从0数起。",
)
def cut_too_late(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    return unchanged(tokens, words, table)[:, -len(table) :]


@exercise.misconception(
    en="The newest tokens stay, each with a row of its own, but it is the row of its place in the "
    "long text, modulo N: the first one seldom gets row 0. Cut the tokens first, then count from "
    "0.",
    zh="留下的确实是最新的词元，也各占一行，但行号是它在长文本里的位置除以N的余数："
    "第一个词元多半取不到第0行。先截断词元，再从0数起。",
)
def wrapped_then_cut(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    return wraps(tokens, words, table)[:, -len(table) :]


@exercise.misconception(
    en="One token too few: N − 1 stay, and the last row of the table is never used. All N fit.",
    zh="少留了一个：只留下N − 1个词元，表的最后一行永远用不上。N个都放得下。",
)
def one_token_fewer(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    tokens = tokens[:, -(len(table) - 1) :]
    return words[tokens] + table[: tokens.shape[1]]


@exercise.misconception(
    en="Positions count from the end: the newest token got row 0, and a token moves each time a "
    "new one comes. The first token that stays has row 0.",
    zh="位置从末尾倒着数了：最新的词元取了第0行，每来一个词元，别的词元取的行都要变。"
    "留下的第一个词元才取第0行。",
)
def newest_at_zero(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    tokens = tokens[:, -len(table) :]
    return words[tokens] + table[: tokens.shape[1]].flip(0)


@exercise.misconception(
    en="You counted the channels of the table, `table.shape[1]`. Its rows are the positions: N is "
    "`len(table)`.",
    zh="你数的是表的通道，即`table.shape[1]`。一行才是一个位置：N是`len(table)`。",
)
def width_for_rows(tokens: Tensor, words: Tensor, table: Tensor) -> Tensor:
    tokens = tokens[:, -table.shape[1] :]
    return words[tokens] + table[: tokens.shape[1]]
