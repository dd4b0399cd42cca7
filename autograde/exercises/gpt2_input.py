"""Exercise gpt2_input: words plus rows of the table, going on where the cache ends."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="gpt2_input",
    chapter="03_learned",
    title=Text(en="GPT-2's input", zh="GPT-2的输入"),
    task=Text(
        en=r"""Add to the embedding of each token the row of its position. `past` tokens are in
the cache already, so the first token of `tokens` is at position `past`.

In: `tokens` $(B,L)$, integers; `words` $(V,d)$; `table` $(N,d)$ with $N\ge\text{past}+L$. Out:
shape $(B,L,d)$.""",
        zh=r"""给每个词元的嵌入加上它的位置对应的那一行。缓存里已有`past`个词元，
所以`tokens`里的第一个词元在位置`past`。

输入：`tokens` $(B,L)$，整数；`words` $(V,d)$；`table` $(N,d)$，$N\ge\text{past}+L$。
输出：形状为$(B,L,d)$。""",
    ),
    signature="gpt2_input(tokens, words, table, past=0) -> (B, L, d)",
    points=2,
    difficulty=1,
    minutes=6,
    hints=(
        Text(
            en="Indexing a table with a tensor of integers looks up a row for each of them.",
            zh="用整数张量去索引一张表，就会为每个整数取出一行。",
        ),
        Text(
            en="The positions are `past`, `past + 1`, …, one for each of the L tokens: `tokens` "
            "has the shape (B, L).",
            zh="位置是`past`、`past + 1`……，L个词元各一个；`tokens`的形状是(B, L)。",
        ),
        Text(
            en="`words[tokens]` is (B, L, d). The rows of the table are (L, d): broadcasting gives "
            "them to every text of the batch. Where does their range end?",
            zh="`words[tokens]`是(B, L, d)，表中取出的行是(L, d)：广播会把它们加给每段文本。"
            "行号的范围到哪里为止？",
        ),
    ),
)


@exercise.truth
def place_by_place(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    embedded = [words[tokens[:, t]] + table[past + t] for t in range(tokens.shape[1])]
    return torch.stack(embedded, dim=1)


def _case(
    batch: int, length: int, past: int, rng: torch.Generator, spare: int = 0
) -> tuple[Tensor, Tensor, Tensor, int]:
    """Return the arguments; `spare` rows of the table stay unused."""
    dim = int(torch.randint(3, 7, (), generator=rng))
    tokens = torch.randint(7, (batch, length), generator=rng)
    words = torch.randn(7, dim, generator=rng)
    return tokens, words, torch.randn(past + length + spare, dim, generator=rng), past


@exercise.check(en="one vector per token", zh="每个词元一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    for batch, length in ((3, 5), (1, 5), (3, 1)):
        tokens, words, table, _ = _case(batch, length, 0, rng, spare=4)
        expect_shape(answer(tokens, words, table), (batch, length, words.shape[1]))


@exercise.check(en="a text from its beginning: rows 0, 1, 2, …", zh="从头开始的文本：第0、1、2……行")
def prefill(answer: Function, rng: torch.Generator) -> None:
    for batch, length, spare in ((3, 5, 7), (1, 12, 0), (4, 2, 1), (2, 105, 3)):
        *inputs, _ = _case(batch, length, 0, rng, spare)
        expect_agreement(answer, place_by_place, *inputs)


@exercise.check(
    en="goes on where the cache ends, one token or several",
    zh="从缓存结束的地方接着数，新来一个或几个词元都行",
    weight=3,
)
def decode(answer: Function, rng: torch.Generator) -> None:
    long = int(torch.randint(60, 120, (), generator=rng))
    for batch, length, past, spare in ((2, 1, 4, 6), (2, 5, 3, 4), (1, 1, long, 0), (2, 2, 0, 3)):
        expect_agreement(answer, place_by_place, *_case(batch, length, past, rng, spare))


@exercise.misconception(
    en="`past` is ignored: while decoding one token at a time, every new token gets row 0.",
    zh="没有用到`past`：逐个词元解码时，每个新词元都拿到第0行。",
)
def no_past(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[: tokens.shape[1]]


@exercise.misconception(
    en="`past` is subtracted: negative numbers take rows from the end of the table. Add it.",
    zh="你减去了`past`：负数会从表的末尾取行。应当加上它。",
)
def subtracted(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[torch.arange(tokens.shape[1]) - past]


@exercise.misconception(
    en="Positions start one too late: with `past` tokens at 0 … past − 1, the next is at `past`.",
    zh="位置晚了一格：`past`个词元占了0到past−1，下一个就在`past`。",
)
def one_late(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    # the row after the last one is the last: a look-up that clamps
    rows = torch.arange(past + 1, past + 1 + tokens.shape[1]).clamp(max=len(table) - 1)
    return words[tokens] + table[rows]


@exercise.misconception(
    en="`past` was added to the *tokens*: that looks up different words. Add it to the position.",
    zh="`past`加到了*词元*上，查到的是别的词。它应当加在位置上。",
)
def shifted_words(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[(tokens + past) % len(words)] + table[: tokens.shape[1]]


@exercise.misconception(
    en="The table was looked up by *token*: the same word gets the same row wherever it is, "
    "so order stays invisible.",
    zh="位置表是用*词元*去查的：同一个词不管在哪里都是同一行，顺序仍然看不见。",
)
def row_of_the_token(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[tokens]


@exercise.misconception(
    en="Every token of the block got row `past`. Positions run on inside the block: past + t.",
    zh="这一段里每个词元都拿到第`past`行。段内位置要接着往下数：past + t。",
)
def one_row(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[past]


@exercise.misconception(
    en="You count the positions along the batch: every token of sentence b gets row past + b. "
    "Position runs along the tokens, axis 1: past + t.",
    zh="你沿批次来数位置：第b句的所有词元都拿到第past + b行。位置要沿词元（第1轴）来数：past + t。",
)
def along_the_batch(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[torch.arange(past, past + len(tokens))][:, None]


@exercise.misconception(
    en="`arange(past, L)` stops at L, which says how many tokens came in, not where they end. The "
    "rows run from `past` to `past + L - 1`.",
    zh="`arange(past, L)`到L就停了，可L是送入的词元个数，不是终点。"
    "行号应从`past`到`past + L - 1`。",
)
def stops_at_the_length(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[torch.arange(past, tokens.shape[1])]


@exercise.misconception(
    en="The words were multiplied by √d, as in the first Transformer. GPT-2 takes them as they "
    "are.",
    zh="词嵌入乘了√d，那是最初的Transformer的做法。GPT-2直接用词嵌入，不缩放。",
)
def scaled_words(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] * words.shape[1] ** 0.5 + table[past : past + tokens.shape[1]]


@exercise.misconception(
    en="`table[past:L]` stops at L, the number of tokens that came in. While decoding one token at "
    "a time, past ≥ L: the slice has no rows, and broadcasting 1 against 0 makes the new token "
    "vanish.",
    zh="`table[past:L]`到L就停了，而L是送入的词元个数。逐个词元解码时past ≥ L：切片一行也没有，"
    "1与0一广播，新词元就消失了。",
)
def empty_slice(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[past : tokens.shape[1]]


@exercise.misconception(
    en="`table[-L:]` takes the last L rows of the table, whatever `past` is: a text at its "
    "beginning gets the rows of the end.",
    zh="`table[-L:]`取的是表的最后L行，与`past`无关：刚开头的文本拿到的是末尾的行。",
)
def last_rows(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[-tokens.shape[1] :]


@exercise.misconception(
    en="You multiplied words and rows. GPT-2 adds them: a product has no part that holds the "
    "position alone.",
    zh="你把词和行相乘了。GPT-2是相加：相乘的话，结果里就没有哪一部分只含位置。",
)
def multiplied(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] * table[past : past + tokens.shape[1]]


@exercise.misconception(
    en="These are the words alone; no row of the table was added, so order stays invisible.",
    zh="这只是词嵌入：没有加上表里的任何一行，顺序仍然看不见。",
)
def words_alone(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens]


@exercise.misconception(
    en="Positions start one too early: the last token in the cache is at `past` − 1 already, and "
    "the first new one gets the same row.",
    zh="位置早了一格：缓存里的最后一个词元已经在`past`−1，第一个新词元和它取了同一行。",
)
def one_early(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    first = max(past - 1, 0)
    return words[tokens] + table[first : first + tokens.shape[1]]


@exercise.misconception(
    en="You appended the rows as further channels. GPT-2 adds them: the shape stays (B, L, d).",
    zh="你把各行当作新的通道拼接在后面了。GPT-2是相加，形状仍是(B, L, d)。",
)
def appended(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    rows = table[past : past + tokens.shape[1]].expand(len(tokens), -1, -1)
    return torch.cat((words[tokens], rows), dim=-1)


@exercise.misconception(
    en="`past` was added to the vectors, to every channel alike. It belongs to the row *number*: "
    "the rows are past, past + 1, ….",
    zh="`past`加到了向量上，每个通道都加了同一个数。它应当加在行*号*上：取第past、past + 1……行。",
)
def past_in_the_numbers(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[: tokens.shape[1]] + past


@exercise.misconception(
    en="The rows of this block are in reverse order: the last token got row `past`, which belongs "
    "to the first new one.",
    zh="这一段的行倒过来了：最后一个词元拿到第`past`行，这一行应当给第一个新词元。",
)
def reversed_rows(tokens: Tensor, words: Tensor, table: Tensor, past: int = 0) -> Tensor:
    return words[tokens] + table[past : past + tokens.shape[1]].flip(0)
