"""Exercise clinic_chunk_positions: a start computed from the length of the present piece."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="clinic_chunk_positions",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: the last piece of a long prompt",
        zh="改错：长prompt的最后一块",
    ),
    task=Text(
        en=r"""Fix `case_19`: a long prompt is read in pieces, the last often shorter. Return
the positions of all tokens in the prompt, piece after piece.

In: `lengths`, the lengths of the pieces, a list of positive integers. Out: int64, shape
`(sum(lengths),)`.""",
        zh=r"""修好`case_19`：很长的prompt分块读入，最后一块往往短一些。
返回所有词元在整个prompt里的位置，一块接一块。

输入：`lengths`，各块的长度，正整数列表。输出：int64，形状`(sum(lengths),)`。""",
    ),
    signature="clinic_chunk_positions(lengths) -> positions",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        Text(
            en="Try `[4, 4, 4]`, then `[4, 4, 2]`.",
            zh="先试`[4, 4, 4]`，再试`[4, 4, 2]`。",
        ),
        Text(
            en="How many tokens came before a piece? Not its number times its own length.",
            zh="一块之前来了多少个词元？不是块号乘以它自己的长度。",
        ),
        Text(
            en="The pieces before have lengths of their own, and all of them count.",
            zh="前面各块各有各的长度，全都要算进去。",
        ),
    ),
)


@exercise.truth
def one_after_the_other(lengths: list[int]) -> Tensor:
    """Return 0, 1, 2, …: pieces lie end to end."""
    return torch.arange(sum(lengths))


@exercise.check(en="as many integers as tokens", zh="整数的个数等于词元数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for lengths in ([3, 2], [1]):
        expect_dtype(expect_shape(answer(lengths), (sum(lengths),)), torch.int64)


@exercise.check(en="pieces of one length", zh="各块等长")
def equal(answer: Function, rng: torch.Generator) -> None:
    count, length = torch.randint(2, 9, (2,), generator=rng).tolist()
    for lengths in ([length] * count, [1, 1, 1], [40_000]):
        expect_agreement(answer, exercise.true_answer, lengths)


@exercise.check(en="pieces of any length", zh="各块长短不一", weight=3)
def unequal(answer: Function, rng: torch.Generator) -> None:
    drawn = torch.randint(1, 60, (7,), generator=rng).tolist()
    for lengths in ([4, 4, 2], [1, 5], [6, 1, 1, 1], drawn, [2, 3, 4]):
        expect_agreement(answer, exercise.true_answer, lengths)


@exercise.misconception(
    en="The numbers are right, but the type is not: positions are int64 here.",
    zh="数对了，类型不对：这里的位置要用int64。",
)
def not_whole(lengths: list[int]) -> Tensor:
    return torch.arange(sum(lengths)).float()


@exercise.misconception(
    en="Still the broken version: number of the piece × length of *this* piece. Of 5, 5, 2 the "
    "last begins at 4 instead of 10.",
    zh="还是有错的那个版本：块号×*这一块*的长度。5、5、2的最后一块从4开始，而不是10。",
)
def unchanged(lengths: list[int]) -> Tensor:
    return torch.cat([n * length + torch.arange(length) for n, length in enumerate(lengths)])


@exercise.misconception(
    en="Each piece begins at 0 again.",
    zh="每一块又从0开始了。",
)
def from_zero(lengths: list[int]) -> Tensor:
    return torch.cat([torch.arange(length) for length in lengths])


@exercise.misconception(
    en="You multiply by the length of the first piece: right only if all but the last have it.",
    zh="你乘的是第一块的长度：只有除最后一块外都等长时才对。",
)
def first_length(lengths: list[int]) -> Tensor:
    return torch.cat([n * lengths[0] + torch.arange(length) for n, length in enumerate(lengths)])


@exercise.misconception(
    en="Pieces overlap: each begins at the last position of the one before, not after it.",
    zh="块与块重叠了：每一块从上一块的最后一个位置开始，而不是它的后面。",
)
def overlapping(lengths: list[int]) -> Tensor:
    starts = [sum(lengths[:n]) - n for n in range(len(lengths))]
    return torch.cat(
        [start + torch.arange(length) for start, length in zip(starts, lengths, strict=True)]
    )


@exercise.misconception(
    en="A running sum of the lengths, this piece included, says where a piece *ends*; it begins "
    "its own length before.",
    zh="把这一块也算在内的累加和，是一块*结束*的地方；起点还要减去它自己的长度。",
)
def ends(lengths: list[int]) -> Tensor:
    return torch.cat([sum(lengths[: n + 1]) + torch.arange(m) for n, m in enumerate(lengths)])


@exercise.misconception(
    en="You multiply by the longest length, as if every piece before were as long.",
    zh="你乘的是最长的长度，好像前面每一块都有那么长。",
)
def longest(lengths: list[int]) -> Tensor:
    return torch.cat([n * max(lengths) + torch.arange(m) for n, m in enumerate(lengths)])


@exercise.misconception(
    en="You add the length of the piece before alone; all pieces before it count as well.",
    zh="你只加了前一块的长度；更早的各块也要算进去。",
)
def previous_alone(lengths: list[int]) -> Tensor:
    starts = [0, *lengths[:-1]]
    return torch.cat(
        [start + torch.arange(length) for start, length in zip(starts, lengths, strict=True)]
    )


@exercise.misconception(
    en="You multiply by the length of the piece before, as if all pieces before were as long as "
    "it: add up their lengths.",
    zh="你乘的是前一块的长度，好像前面各块都和它一样长：应当把它们的长度加起来。",
)
def times_the_one_before(lengths: list[int]) -> Tensor:
    starts = [n * lengths[n - 1] if n else 0 for n in range(len(lengths))]
    return torch.cat(
        [start + torch.arange(length) for start, length in zip(starts, lengths, strict=True)]
    )


@exercise.misconception(
    en="A place stays free between pieces. Counted from 0, the last token of the first piece "
    "is at its length − 1, and the second begins at that length: nothing is added.",
    zh="块与块之间空出了一格。从0数起，第一块的最后一个词元在它的长度−1处，第二块就从这个长度处开始：不用再加1。",
)
def one_place_free(lengths: list[int]) -> Tensor:
    starts = [sum(lengths[:n]) + n for n in range(len(lengths))]
    return torch.cat(
        [start + torch.arange(length) for start, length in zip(starts, lengths, strict=True)]
    )


@exercise.misconception(
    en="Positions are counted from 1. The first token is at 0.",
    zh="位置从1数起了。第一个词元在位置0。",
)
def from_one(lengths: list[int]) -> Tensor:
    return torch.arange(1, sum(lengths) + 1)
