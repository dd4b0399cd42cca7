"""Exercise decode_positions: where the next tokens of each row are."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="decode_positions",
    chapter="08_kv_cache",
    title=Text(en="The position of the next token", zh="下一个词元的位置"),
    task=Text(
        en=r"""A cache keeps the position of every column, and which columns are real tokens. Some
columns are padding (left or right; the number stored there means nothing), and some tokens may have
been evicted; a ring buffer, which begins again at its first column when it is full, does not keep
them in order. Return the positions of the next `count` tokens of each row: one more than the
largest position of a *real token*, then counting up by one. A row without any real token begins at
0.

In: `positions` `(B, L)`, int64; `visible` `(B, L)`, bool, True at real tokens. Out: `(B, count)`,
int64.""",
        zh=r"""缓存里存着每一列的位置，以及哪些列是实际词元。有些列是填充（在左在右都可能，那里存的数没有意义），
有些词元可能已被驱逐；环形缓冲区（ring buffer）满了就从头覆盖，各列也不按次序排列。
返回每一行接下来`count`个词元的位置：*实际词元*的最大位置加1，然后逐个加1。
一个实际词元都没有的行从0开始。

输入：`positions`，形状`(B, L)`，int64；`visible`，形状`(B, L)`，布尔值，实际词元处为True。
输出：`(B, count)`，int64。""",
    ),
    signature="decode_positions(positions, visible, count=1) -> (B, count)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Neither the number of columns nor the number of tokens will do: think of a cache "
            "that kept tokens 0, 7, 8, 9 of ten.",
            zh="列数不行，词元数也不行：想想从十个词元里只留下0、7、8、9的缓存。",
        ),
        Text(
            en="The largest position of each row, if padding cannot win: what would you put at "
            "padding, so that a row without any real token begins at 0?",
            zh="取每一行的最大值，只要填充不会胜出就行：填充处该换成什么数，"
            "没有实际词元的行才会从0开始？",
        ),
        Text(
            en="`largest = positions.masked_fill(~visible, -1).amax(-1, keepdim=True)`; the "
            "answer "
            "is `largest + torch.arange(1, count + 1)`.",
            zh="`largest = positions.masked_fill(~visible, -1).amax(-1, keepdim=True)`，答案就是"
            "`largest + torch.arange(1, count + 1)`。",
        ),
    ),
)


@exercise.truth
def after_the_largest(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    """Return the next positions, row by row."""
    rows = []
    for at, words in zip(positions, visible, strict=True):
        first = max(at[words].tolist(), default=-1) + 1
        rows.append(range(first, first + count))
    return torch.tensor([list(row) for row in rows])


def _caches(rng: torch.Generator, length: int) -> tuple[Tensor, Tensor]:
    """Return positions and words of seven rows (see below); padding holds larger numbers."""
    left, right, far, gap = torch.randint(1, 4, (4,), generator=rng).tolist()
    column = torch.arange(length)
    rows = (
        column,  # whole
        column + 10 * gap * (column >= 2),  # evicted
        column - left,  # padded on the left
        column,  # padded on the right
        (column + 30_000 * far).roll(2),  # a ring buffer that has come round
        column,  # no word at all
        column,  # one word, at position 0
    )
    words = torch.ones(7, length, dtype=torch.bool)
    words[2, :left] = words[3, -right:] = words[5] = words[6, 1:] = False
    noise = torch.randint(300, 900, words.shape, generator=rng)
    return torch.stack(rows).where(words, noise), words


@exercise.check(en="`count` positions for each row, int64", zh="每行`count`个位置，int64")
def shape(answer: Function, rng: torch.Generator) -> None:
    positions, visible = _caches(rng, 6)
    expect_dtype(expect_shape(answer(positions, visible, 3), (7, 3)), torch.int64)
    expect_dtype(expect_shape(answer(positions[:1, :1], visible[:1, :1]), (1, 1)), torch.int64)


@exercise.check(
    en="a whole cache continues where it ends, and so does an evicted one",
    zh="完整的缓存从末尾接着数，驱逐过的也一样",
    weight=2,
)
def continues(answer: Function, rng: torch.Generator) -> None:
    positions, visible = _caches(rng, 7)
    expect_agreement(answer, exercise.true_answer, positions[:2], visible[:2], rtol=0)


@exercise.check(
    en="padding on either side does not count; rows may differ",
    zh="左右填充都不算数，各行可以不同",
    weight=2,
)
def padding(answer: Function, rng: torch.Generator) -> None:
    (length,) = torch.randint(6, 12, (1,), generator=rng).tolist()
    for columns, count in ((length, 4), (length + 210, 220)):
        positions, visible = _caches(rng, columns)
        positions[0] += 2**31  # beyond int32, and beyond the whole numbers that float32 holds
        expect_agreement(answer, exercise.true_answer, positions, visible, count, rtol=0)


def _from(first: Tensor, count: int) -> Tensor:
    return first + torch.arange(count)


@exercise.misconception(
    en="The new token is at 0, as if nothing were cached: a layer that counts only the tokens of "
    "one call does this. Every distance is then wrong by the length of the text.",
    zh="新词元的位置成了0，好像缓存是空的：只数“这次给了几个词元”的层就会这样。"
    "每个距离都差了整段文本的长度。",
)
def from_zero(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    return torch.arange(count).expand(len(positions), count)


@exercise.misconception(
    en="You counted columns: padding pushes the new token along, and eviction pulls it back.",
    zh="你数的是列：填充会让新词元的位置偏大，驱逐又会让它偏小。",
)
def counts_columns(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    return _from(torch.full((len(positions), 1), positions.shape[1]), count)


@exercise.misconception(
    en="You counted tokens. Right with padding, wrong after eviction: tokens 0, 1, 17, 18, 19 are "
    "five, but the next one is 20.",
    zh="你数的是词元。有填充时没错，驱逐之后就错了：0、1、17、18、19一共五个词元，下一个却是20。",
)
def counts_words(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    return _from(visible.long().sum(1, keepdim=True), count)


@exercise.misconception(
    en="You took the largest number of the row, padding included; what is at padding means "
    "nothing.",
    zh="你取的最大值把填充也算进去了，填充处存的数没有意义。",
)
def padding_too(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    return _from(positions.amax(1, keepdim=True) + 1, count)


@exercise.misconception(
    en="Off by one: the new token got the position of the last token. The two then seem to be in "
    "the same place.",
    zh="差了1：新词元拿到了最后一个词元的位置，两者看起来在同一处。",
)
def off_by_one(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    return _from(positions.masked_fill(~visible, -1).amax(1, keepdim=True), count)


@exercise.misconception(
    en="You took the last column. In a row that is padded on the right, that column is not a real "
    "token.",
    zh="你取的是最后一列。右填充的行里，那一列不是实际词元。",
)
def last_column(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    return _from(positions[:, -1:] + 1, count)


@exercise.misconception(
    en="You took one largest position for the whole batch; each row has its own.",
    zh="你对整个批次取了同一个最大值，而每一行有自己的最大值。",
)
def one_for_all(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    largest = positions.masked_fill(~visible, -1).amax()
    return _from((largest + 1).expand(len(positions), 1), count)


@exercise.misconception(
    en="Padding was replaced by 0, but 0 is a position: a row without any token then looks as if a "
    "token were at 0, and goes on at 1. Use a number below every position.",
    zh="填充处换成了0，但0本身就是一个位置：一个词元都没有的行，看上去像是有个词元在0，就从1接着数了。"
    "要换成比所有位置都小的数。",
)
def padding_as_zero(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    return _from((positions * visible).amax(1, keepdim=True) + 1, count)


@exercise.misconception(
    en="You took the *column* of the last token. The position stored in it is what counts.",
    zh="你取的是最后一个词元所在的*列号*，要看的是那一列里存的位置。",
)
def column_of_the_last(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    column = torch.arange(positions.shape[1]).expand_as(positions)
    return _from(column.masked_fill(~visible, -1).amax(1, keepdim=True) + 1, count)


@exercise.misconception(
    en="All `count` tokens got the same position; each should be one further than the one before.",
    zh="`count`个词元得到了同一个位置，应该一个比一个大1。",
)
def stands_still(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    largest = positions.masked_fill(~visible, -1).amax(1, keepdim=True)
    return (largest + 1).expand(-1, count)


@exercise.misconception(
    en="You took the last token of the row. In a ring buffer the newest token is anywhere: take "
    "the *largest* position.",
    zh="你取的是这一行的最后一个词元。环形缓冲区里，最新的词元可能在任何一列：要取*最大*的位置。",
)
def last_word(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    column = torch.arange(1, positions.shape[1] + 1) * visible
    padded = torch.cat((torch.full((len(positions), 1), -1), positions), dim=1)
    return _from(padded.gather(1, column.amax(1, keepdim=True)) + 1, count)


@exercise.misconception(
    en="`argmax` gives the column of the largest position, not the position. The position stored "
    "there is what counts: `amax`.",
    zh="`argmax`给出的是最大位置所在的列，不是位置本身。要看的是那里存的位置：用`amax`。",
)
def column_of_the_largest(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    return _from(positions.masked_fill(~visible, -1).argmax(1, keepdim=True) + 1, count)


@exercise.misconception(
    en="A row whose largest position is 0 was taken for an empty one. Its token at position 0 is a "
    "real one, so the next is at 1: it is `visible` that says whether a row is empty.",
    zh="最大位置为0的行被当成了空行。位置0处的词元是实际词元，下一个应在1：一行是不是空的，要看`visible`。",
)
def zero_as_empty(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    largest = (positions * visible).amax(1, keepdim=True)
    return _from(largest + (largest > 0), count)


@exercise.misconception(
    en="The positions went through float32, which holds every whole number only up to 2^24: beyond "
    "that, neighbours become the same number. Keep them int64.",
    zh="位置经过了float32，而它只能准确表示2^24以内的整数：再往上，相邻的位置会变成同一个数。"
    "应始终用int64。",
)
def in_float32(positions: Tensor, visible: Tensor, count: int = 1) -> Tensor:
    largest = positions.float().masked_fill(~visible, -1).amax(1, keepdim=True)
    return _from(largest.long() + 1, count)
