"""Exercise mend_opt_rows: the first two rows of the table belong to padding."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_opt_rows",
    chapter="03_learned",
    title=Text(en="Fix: two rows too early", zh="改错：早了两行"),
    task=Text(
        en=r"""Fix `forgets_the_offset` for a checkpoint of OPT: a token at position $p$ (counted
from the mask) takes row $p+2$, padding takes row 1.

In: `mask` $(B,L)$, true (or 1) at tokens; `table` $(N,d)$ with $N\ge L+2$. Out: the rows, shape
$(B,L,d)$.""",
        zh=r"""修好`forgets_the_offset`，让它适用于OPT的checkpoint：位置$p$（由掩码数出）的词元取第$p+2$行，
填充取第1行。

输入：`mask` $(B,L)$，词元处为真（或1）；`table` $(N,d)$，$N\ge L+2$。
输出：取出的各行，形状为$(B,L,d)$。""",
    ),
    signature="mend_opt_rows(mask, table) -> (B, L, d)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Write down the rows for the mask 0 0 1 1 1: padding, padding, then three tokens.",
            zh="对掩码0 0 1 1 1，把行号写出来：填充、填充，然后三个词元。",
        ),
        Text(
            en="They are 1 1 2 3 4: the running sum 0 0 1 2 3, plus 1.",
            zh="是1 1 2 3 4：累加和0 0 1 2 3，再加1。",
        ),
        Text(
            en="Padding *after* a token must be 1 as well: multiply the running sum by the mask "
            "before you add 1.",
            zh="词元*之后*的填充也必须是1：先把累加和乘以掩码，再加1。",
        ),
    ),
)


@exercise.truth
def place_by_place(mask: Tensor, table: Tensor) -> Tensor:
    rows = [[1 + sum(row[: t + 1]) * row[t] for t in range(len(row))] for row in mask.tolist()]
    return table[torch.tensor(rows)]


def _case(batch: int, length: int, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return a mask with padding on either side, and a table."""
    mask = torch.rand(batch, length, generator=rng) < 0.6
    if length > 2:  # some row begins and some row ends with padding
        mask[0, 0] = mask[-1, -1] = False
        mask[:, 1] = True
    if length > 100:
        mask[:, 5:-1] = True
    return mask, torch.randn(length + 2 + batch, 3, generator=rng)


def _cases(rng: torch.Generator) -> list[tuple[Tensor, Tensor]]:
    """Return cases with masks of booleans and of integers."""
    cases = [_case(*size, rng) for size in ((3, 5), (2, 6), (1, 4), (3, 1), (2, 110))]
    return [
        (mask.long() if of_integers else mask, table)
        for mask, table in cases
        for of_integers in (False, True)
    ]


@exercise.check(en="one row per place", zh="每处一行")
def shape(answer: Function, rng: torch.Generator) -> None:
    for mask, table in _cases(rng):
        expect_shape(answer(mask, table), (*mask.shape, 3))


@exercise.check(en="tokens take rows 2, 3, 4, …", zh="词元依次取第2、3、4……行", weight=4)
def tokens(answer: Function, rng: torch.Generator) -> None:
    for mask, table in _cases(rng):
        got, seen = expect_shape(answer(mask, table), (*mask.shape, 3)), mask.bool()
        expect_close(got[seen], place_by_place(mask, table)[seen])


@exercise.check(en="padding takes row 1, wherever it is", zh="填充取第1行，无论在哪里", weight=1)
def padding(answer: Function, rng: torch.Generator) -> None:
    for mask, table in _cases(rng):
        expect_agreement(answer, place_by_place, mask, table)


@exercise.misconception(
    en="Still the broken version: position p takes row p. From the third token on, each gets the "
    "vector trained for two positions earlier; the first two get rows that belong to no position.",
    zh="还是有错的那个版本：位置p取了第p行。从第三个词元起，拿到的是两个位置之前的向量；"
    "最前面两个拿到的行根本不代表位置。",
)
def unchanged(mask: Tensor, table: Tensor) -> Tensor:
    return table[(mask.long().cumsum(1) - 1).clamp(min=0)]


only_one = exercise.misconception(
    en="The offset is only 1. Row 0 is unused and row 1 is padding's, so the first token must take "
    "row 2.",
    zh="只偏移了1。第0行不用，第1行属于填充，所以第一个词元取第2行。",
)


@only_one
def offset_of_one(mask: Tensor, table: Tensor) -> Tensor:
    return table[mask.long().cumsum(1) * mask.long()]


@only_one
def offset_of_one_beside_padding(mask: Tensor, table: Tensor) -> Tensor:
    return table[(mask.long().cumsum(1) * mask.long()).clamp(min=1)]


@exercise.misconception(
    en="Padding takes row 1 now, but a token at position p still takes row p: add 2 there.",
    zh="填充取第1行了，可位置p的词元取的还是第p行：那里要加2。",
)
def offset_for_padding_alone(mask: Tensor, table: Tensor) -> Tensor:
    return table[torch.where(mask.bool(), mask.long().cumsum(1) - 1, 1)]


@exercise.misconception(
    en="The offset is there, but padding is counted: rows 2, 3, 4, … from the left edge.",
    zh="偏移有了，但填充也算了进去：从最左边起依次是第2、3、4……行。",
)
def counts_padding(mask: Tensor, table: Tensor) -> Tensor:
    rows = torch.arange(2, 2 + mask.shape[1])
    return table[rows].expand(*mask.shape, -1).contiguous()


@exercise.misconception(
    en="Tokens are right; padding is put at position 0 and takes row 2, or repeats a token's row. "
    "Harmless where it is masked, but OPT's own code differs: padding takes row 1 there.",
    zh="词元都对；填充却当成位置0取了第2行，或者重复了某个词元的行。"
    "只要被掩码遮住就无妨，但与OPT的代码不一致：那里填充取第1行。",
)
def padding_at_zero(mask: Tensor, table: Tensor) -> Tensor:
    return table[(mask.long().cumsum(1) - 1).clamp(min=0) + 2]


@exercise.misconception(
    en="Padding *after* a token repeats that token's row: the running sum stays there. "
    "Multiply it by the mask before you add 1.",
    zh="词元*之后*的填充重复了那个词元的行：累加和还停在那个数上。先乘以掩码，再加1。",
)
def sum_not_masked(mask: Tensor, table: Tensor) -> Tensor:
    return table[mask.long().cumsum(1) + 1]


added_to_the_sum = exercise.misconception(
    en="2 was added to the running sum, which counts the token itself: the first token is at "
    "position 0, not 1, so it takes row 2, not 3.",
    zh="2加到了累加和上，而累加和把词元自己也数了进去：第一个词元的位置是0不是1，应取第2行而不是第3行。",
)


@added_to_the_sum
def counted_from_one(mask: Tensor, table: Tensor) -> Tensor:
    return table[mask.long().cumsum(1) * mask.long() + 2]


@added_to_the_sum
def counted_from_one_unmasked(mask: Tensor, table: Tensor) -> Tensor:
    return table[mask.long().cumsum(1) + 2]


@added_to_the_sum
def counted_from_one_beside_padding(mask: Tensor, table: Tensor) -> Tensor:
    return table[torch.where(mask.bool(), mask.long().cumsum(1) + 2, 1)]


@exercise.misconception(
    en="Tokens are right; padding takes row 0, as it does when the mask is multiplied in last. In "
    "OPT it takes row 1.",
    zh="词元都对；填充却取了第0行，最后才乘掩码就会这样。在OPT里，填充取第1行。",
)
def padding_at_row_zero(mask: Tensor, table: Tensor) -> Tensor:
    return table[(mask.long().cumsum(1) + 1) * mask.long()]


@exercise.misconception(
    en="Tokens are right; padding was put at *position* 1, as `masked_fill(mask == 0, 1)` does "
    "with positions, so that with the offset it takes row 3. In OPT it takes *row* 1.",
    zh="词元都对；填充却放在了*位置*1，对位置做`masked_fill(mask == 0, 1)`就会这样，"
    "加上偏移便取了第3行。在OPT里，填充取的是第1*行*。",
)
def padding_at_position_one(mask: Tensor, table: Tensor) -> Tensor:
    return table[torch.where(mask.bool(), mask.long().cumsum(1) + 1, 3)]


@exercise.misconception(
    en="These are the right row numbers. Return the rows themselves: `table` indexed by them.",
    zh="行号是对的。要返回的是取出的行：用它们去索引`table`。",
)
def row_numbers(mask: Tensor, table: Tensor) -> Tensor:
    return mask.long().cumsum(1) * mask.long() + 1


@exercise.misconception(
    en="Tokens are right; padding got zeros instead of a row. In OPT it takes row 1 of the table.",
    zh="词元都对；填充得到的是零，不是表里的一行。在OPT里，填充取第1行。",
)
def zeros_at_padding(mask: Tensor, table: Tensor) -> Tensor:
    return place_by_place(mask, table) * mask.bool()[..., None]


@exercise.misconception(
    en="Tokens are right; padding on the left is at position −1, and in `table[2:]` that is the "
    "*last* row. In OPT it takes row 1.",
    zh="词元都对；左边的填充位置是−1，在`table[2:]`里取到的是*最后*一行。在OPT里，填充取第1行。",
)
def padding_at_the_end(mask: Tensor, table: Tensor) -> Tensor:
    return table[2:][mask.long().cumsum(1) - 1]


@exercise.misconception(
    en="The sum runs down the batch, not along the text: it counts the tokens at the same place in "
    "the rows above.",
    zh="累加沿着批次的轴做了，而不是沿着文本：数的是上面各行同一处的词元。",
)
def down_the_batch(mask: Tensor, table: Tensor) -> Tensor:
    return table[mask.long().cumsum(0) * mask.long() + 1]


@exercise.misconception(
    en="The offset is subtracted: −1 and −2 read from the end of the table without an error. Add "
    "it: the first token takes row 2.",
    zh="你减去了偏移：−1、−2会从表的末尾取行，也不报错。应当加上：第一个词元取第2行。",
)
def offset_subtracted(mask: Tensor, table: Tensor) -> Tensor:
    return table[mask.long().cumsum(1) * mask.long() - 3]


@exercise.misconception(
    en="The offset is there, and padding takes row 1, but a token's row is its place from the "
    "left edge: padding is counted. Count tokens, with a running sum of the mask.",
    zh="偏移有了，填充也取了第1行，但词元的行是从最左边数的：填充也数了进去。"
    "应当用mask的累加和来数词元。",
)
def places_counted(mask: Tensor, table: Tensor) -> Tensor:
    places = torch.arange(2, 2 + mask.shape[1])
    return table[torch.where(mask.bool(), places, 1)]


as_a_condition = exercise.misconception(
    en="`mask` may also hold the integers 0 and 1, which are not a condition: `~` makes −1 and −2 "
    "of them, which an index takes for row numbers, and `where` and `masked_fill` refuse them. "
    "Take `mask.bool()` first.",
    zh="`mask`里也可能是整数0和1，它们不是条件：`~`把它们变成−1和−2，用作下标就成了行号；"
    "`where`和`masked_fill`则根本不收。先用`mask.bool()`。",
)


@as_a_condition
def integers_as_an_index(mask: Tensor, table: Tensor) -> Tensor:
    rows = mask.cumsum(1) + 1
    rows[~mask] = 1
    return table[rows]


@as_a_condition
def integers_where(mask: Tensor, table: Tensor) -> Tensor:
    return table[torch.where(mask, mask.cumsum(1) + 1, 1)]


@as_a_condition
def integers_filled(mask: Tensor, table: Tensor) -> Tensor:
    return table[(mask.cumsum(1) + 1).masked_fill(~mask, 1)]
