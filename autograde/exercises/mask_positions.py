"""Exercise mask_positions: count tokens, not padding."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_dtype, expect_shape
from bilingual import Text

exercise = Exercise(
    id="mask_positions",
    chapter="03_learned",
    title=Text(en="Positions from a mask", zh="由掩码得到位置"),
    task=Text(
        en=r"""Return the position of every token when padding does not count: the first token of
each row is at 0, wherever it is, and padding may be on the left, on the right or in between. At
padding return any row that exists, a number between 0 and $L-1$.

In: `mask` $(B,L)$, true (or 1) at tokens, false (or 0) at padding; booleans or integers. Out:
`int64`, shape $(B,L)$.""",
        zh=r"""不算填充，返回每个词元的位置：每一行的第一个词元无论在哪里，位置都是0；填充可能在左、在右，也可能在中间。
在填充处，返回任何一个存在的行号即可，即0到$L-1$之间的数。

输入：`mask` $(B,L)$，词元处为真（或1），填充处为假（或0）；布尔或整数。
输出：`int64`，形状为$(B,L)$。""",
    ),
    signature="mask_positions(mask) -> (B, L)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="A token's position is the number of tokens before it in its row.",
            zh="一个词元的位置，就是它这一行里在它之前的词元个数。",
        ),
        Text(
            en="A running sum (`cumsum`) along the row counts the tokens up to *and including* "
            "this one.",
            zh="沿着一行求累加和（`cumsum`），数出的是到这个词元为止的个数，*包括*它自己。",
        ),
        Text(
            en="Take 1 away for the token itself. What do you get at padding on the left, and is "
            "there such a row?",
            zh="再减去1，去掉词元自己。左边的填充处得到几？有这样一行吗？",
        ),
    ),
)


@exercise.truth
def tokens_before(mask: Tensor) -> Tensor:
    """Padding goes on with the position of the token before it, or takes 0."""
    rows = [[max(sum(row[: t + 1]) - 1, 0) for t in range(len(row))] for row in mask.tolist()]
    return torch.tensor(rows)


@exercise.counts
def at_tokens(result: Tensor, mask: Tensor) -> Tensor:
    """Return the positions of tokens; at padding 0 if the row exists, −1 below, L beyond."""
    length = mask.shape[1]
    padding = torch.where(result < 0, -1, torch.where(result < length, 0, length))
    return torch.where(mask.bool(), result, padding.to(result.dtype))


def _mask(batch: int, length: int, rng: torch.Generator) -> Tensor:
    """Return a mask with padding anywhere, and at least one token in every row."""
    mask = torch.rand(batch, length, generator=rng) < 0.6
    mask[range(batch), torch.randint(length, (batch,), generator=rng)] = True
    return mask


def _masks(rng: torch.Generator) -> tuple[Tensor, ...]:
    """Return masks of booleans and of integers."""
    padding = torch.randint(1, 5, (1,), generator=rng)
    left = torch.arange(6) >= torch.stack((padding, torch.tensor([0]), torch.tensor([5])))
    long = torch.ones(1, 110).index_fill(1, padding, 0).bool()
    small, *masks = (_mask(*size, rng) for size in ((1, 5), (3, 7), (2, 2), (3, 1)))
    return left, small.long(), *masks, long, left.long(), long.long()


@exercise.check(en="one position per place", zh="每处一个位置")
def shape(answer: Function, rng: torch.Generator) -> None:
    for mask in _masks(rng):
        expect_shape(answer(mask), tuple(mask.shape))


@exercise.check(en="the dtype can index a table: int64", zh="dtype为int64，可以用来索引")
def dtype(answer: Function, rng: torch.Generator) -> None:
    for mask in (_mask(3, 7, rng), _mask(3, 7, rng).bool()):
        expect_dtype(answer(mask), torch.int64)


@exercise.check(
    en="the tokens of each row count 0, 1, 2, …, wherever padding is",
    zh="每行的词元依次数0、1、2……，无论填充在哪里",
    weight=5,
)
def counts(answer: Function, rng: torch.Generator) -> None:
    for mask in _masks(rng):
        seen = mask.bool()
        got = expect_shape(answer(mask), tuple(mask.shape))
        want = tokens_before(mask)
        for row, mine, theirs in zip(seen, got, want, strict=True):
            expect(
                torch.equal(mine[row].long(), theirs[row]),
                f"at the tokens of {row.int().tolist()} yours is {mine[row].tolist()}, "
                f"expected {theirs[row].tolist()}",
                f"在{row.int().tolist()}的词元处，你的结果是{mine[row].tolist()}，"
                f"应为{theirs[row].tolist()}",
            )


@exercise.check(
    en="every place has a row that exists, 0 to L − 1, and every token one of its own",
    zh="每一处的行号都存在（0到L−1），每个词元各占一行",
    weight=2,
)
def rows_exist(answer: Function, rng: torch.Generator) -> None:
    for mask in _masks(rng)[:5]:
        got = expect_shape(answer(mask), tuple(mask.shape))
        expect(
            bool(((got >= 0) & (got < mask.shape[1])).all()),
            f"{got.tolist()} holds a number outside 0 … {mask.shape[1] - 1}: a look-up raises, "
            "or takes a row from the other end",
            f"{got.tolist()}里有0到{mask.shape[1] - 1}之外的数：查表会报错，或者从另一头取一行",
        )
        mine = [len(set(row[seen].tolist())) for row, seen in zip(got, mask.bool(), strict=True)]
        tokens = mask.sum(1).tolist()
        expect(mine == tokens, "two tokens share a position", "有两个词元的位置相同")


@exercise.misconception(
    en="Padding is counted: a text moves when something is put to its left, and gets different "
    "rows from those in training.",
    zh="把填充也数进去了：左边一加填充，文本就整体移动，取到的行和训练时不同。",
)
def counts_padding(mask: Tensor) -> Tensor:
    return torch.arange(mask.shape[1]).expand(mask.shape).contiguous()


@exercise.misconception(
    en="The running sum counts a token itself: the first token is at 1 instead of 0.",
    zh="累加和把词元自己也数了进去：第一个词元成了1，而不是0。",
)
def starts_at_one(mask: Tensor) -> Tensor:
    return mask.long().cumsum(1)


@exercise.misconception(
    en="Tokens are right, but padding on the left is negative: `table[-1]` is the *last* row, and "
    "`nn.Embedding` raises.",
    zh="词元都对，但左边的填充是负数：`table[-1]`取到*最后*一行，`nn.Embedding`则会报错。",
)
def minus_one(mask: Tensor) -> Tensor:
    return mask.long().cumsum(1) - 1


@exercise.misconception(
    en="The sum runs down the batch, not along the text.",
    zh="累加沿着批次的轴做了，而不是沿着文本。",
)
def down_the_batch(mask: Tensor) -> Tensor:
    return (mask.long().cumsum(0) - 1).clamp(min=0)


@exercise.misconception(
    en="You subtracted the length of the *whole* padding from every place: right for padding on "
    "the left; padding on the right makes positions fall behind.",
    zh="你从每处都减去了这一行*全部*填充的长度：填充都在左边时没错；右边有填充，得到的位置就偏小。",
)
def subtracts_all_padding(mask: Tensor) -> Tensor:
    padding = mask.shape[1] - mask.long().sum(1, keepdim=True)
    return (torch.arange(mask.shape[1]) - padding).clamp(min=0)


@exercise.misconception(
    en="You counted places from the first token on: right for padding on the left, but padding "
    "between two tokens is counted as well.",
    zh="你从第一个词元起按列往下数：填充都在左边时没错，但词元之间的填充也被数进去了。",
)
def from_the_first_token(mask: Tensor) -> Tensor:
    return (torch.arange(mask.shape[1]) - mask.int().argmax(1, keepdim=True)).clamp(min=0)


@exercise.misconception(
    en="The padding of the *first* row was subtracted in every row. Each row has padding of its "
    "own.",
    zh="每一行减去的都是*第一行*的填充。每行的填充各不相同。",
)
def padding_of_the_first_row(mask: Tensor) -> Tensor:
    padding = (mask[0] == 0).sum()
    return (torch.arange(mask.shape[1]) - padding).clamp(min=0).expand(mask.shape).contiguous()


@exercise.misconception(
    en="These are the positions of RoBERTa, whose rows 0 and 1 are taken: its first token is at 2, "
    "its padding at 1. Here the first token of a row is at 0.",
    zh="这是RoBERTa的位置：它的第0、1行另有用处，第一个词元在2，填充在1。这里每行的第一个词元在0。",
)
def positions_of_roberta(mask: Tensor) -> Tensor:
    return mask.long().cumsum(1) * mask.long() + 1


@exercise.misconception(
    en="Tokens are right, but padding is beyond L − 1: a table of L rows has no such row, and a "
    "look-up raises.",
    zh="词元都对，但填充处的数超过了L−1：L行的表没有这一行，查表会报错。",
)
def beyond_the_table(mask: Tensor) -> Tensor:
    return minus_one(mask).masked_fill(mask == 0, mask.shape[1])


integers_for_booleans = exercise.misconception(
    en="Right for booleans, but `mask` may hold integers: there `~` turns 1 into −2 and 0 into −1, "
    "and `torch.where`, `masked_fill` and `x[mask]` take no 0 and 1 for a mask. Begin with "
    "`mask = mask.bool()`.",
    zh="掩码是布尔值时没错，但`mask`也可能是整数：这时`~`会把1变成−2、把0变成−1，"
    "`torch.where`、`masked_fill`和`x[mask]`也不把0和1当掩码。先写`mask = mask.bool()`。",
)


@integers_for_booleans
def filled_by_bits(mask: Tensor) -> Tensor:
    return minus_one(mask).masked_fill(~mask, 0)


@integers_for_booleans
def chosen_by_integers(mask: Tensor) -> Tensor:
    return torch.where(mask, minus_one(mask), 0)


@integers_for_booleans
def indexed_by_bits(mask: Tensor) -> Tensor:
    positions = minus_one(mask)
    positions[~mask] = 0
    return positions
