"""Exercise clinic_sinusoidal_batch: the batch on which a fault cannot be seen."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_dtype, expect_finite, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_sinusoidal_batch",
    chapter="12_bug_clinic",
    title=Text(
        en="A batch that hides a fault",
        zh="藏得住错误的一批句子",
    ),
    task=Text(
        en=r"""`case_4` is right on some batches, and a test that uses one of them sees nothing.
Find one for every `n`: a mask of `n` sentences, `(n, n)`, on which `case_4` gives every token the
encoding of the healthy program.

In: `n`, at least 1. Out: the mask, bool, `(n, n)`: true at tokens, false at padding in front of
them; each sentence has at least one token.""",
        zh=r"""在某些批次上，`case_4`是对的；测试若偏偏用了这样的批次，就什么也看不见。
请对任意的`n`找出这样一批：`n`个句子的掩码，形状`(n, n)`，
`case_4`给其中每个词元的编码都与健康程序相同。

输入：`n`，至少为1。输出：掩码，bool，形状`(n, n)`，词元处为真，词元前面的填充处为假；
每句至少有一个词元。""",
    ),
    signature="clinic_sinusoidal_batch(n) -> mask",
    points=1,
    difficulty=3,
    minutes=8,
    hints=(
        Text(
            en="The two count differently. Print `mask.cumsum(0) - 1` beside "
            "`mask.cumsum(1) - 1` for a mask of your own: at tokens the two must agree.",
            zh="两个程序数法不同。随便写个掩码，把`mask.cumsum(0) - 1`和`mask.cumsum(1) - 1`"
            "并排打印出来：词元处两者必须一致。",
        ),
        Text(
            en="Begin with the first sentence: nothing is above it. At which positions can its "
            "tokens be, then, and how many can it have?",
            zh="先看第一句：它上面什么也没有。那么它的词元只能在哪些位置，最多能有几个？",
        ),
        Text(
            en="Every sentence has a token in the last column. In row b exactly b sentences are "
            "above it, so its last token must be at position b.",
            zh="每句在最后一列都有词元。第b行上面恰好有b句，所以这一行最后一个词元的位置必须是b。",
        ),
    ),
)


@exercise.truth
def longer_by_one(n: int) -> Tensor:
    """Return sentences of 1, 2, …, n tokens: row b ends at position b, below b tokens."""
    return torch.arange(n) >= n - 1 - torch.arange(n)[:, None]


def _sizes(rng: torch.Generator) -> list[int]:
    return [*torch.randint(4, 12, (2,), generator=rng).tolist(), 2, 1]


@exercise.check(en="a mask: bool, (n, n)", zh="一个掩码：bool，(n, n)")
def shape(answer: Function, rng: torch.Generator) -> None:
    for n in (1, 4):
        expect_dtype(expect_shape(answer(n), (n, n)), torch.bool)


@exercise.check(en="padding in front, a token in each row", zh="填充在前，每行都有词元", weight=1)
def left_padded(answer: Function, rng: torch.Generator) -> None:
    for n in _sizes(rng):
        mask = expect_finite(answer(n), (n, n)).bool()
        expect(n == 1 or not mask.all(), f"n = {n}: no row has padding", f"n = {n}：没有一行有填充")
        expect(
            mask[:, -1].all(),
            f"n = {n}: row {int((~mask[:, -1]).int().argmax())} has no token in the last column, "
            "so it has padding after its tokens, or no token at all",
            f"n = {n}：第{int((~mask[:, -1]).int().argmax())}行最后一列没有词元，"
            "说明填充在词元后面，或者这一行根本没有词元",
        )
        expect(
            (mask[:, 1:] >= mask[:, :-1]).all(),
            f"n = {n}: in some row padding comes after a token",
            f"n = {n}：有一行的填充跑到了词元后面",
        )


@exercise.check(
    en="case 4 gives every token the right position", zh="病例4给每个词元的位置都是对的", weight=3
)
def hides_the_fault(answer: Function, rng: torch.Generator) -> None:
    for n in _sizes(rng):
        mask = expect_shape(answer(n), (n, n)).bool()
        expect(mask.any(), f"n = {n}: there is no token", f"n = {n}：一个词元也没有")
        healthy, broken = (mask.cumsum(axis) - 1 for axis in (1, 0))
        wrong = (mask & (healthy != broken)).nonzero().tolist()
        b, t = wrong[0] if wrong else (0, 0)
        expect(
            not wrong,
            f"n = {n}, sentence {b}, column {t}: the position is {healthy[b, t]}, but case 4 says "
            f"{broken[b, t]}",
            f"n = {n}，第{b}句第{t}列：位置是{healthy[b, t]}，病例4却算成{broken[b, t]}",
        )


@exercise.misconception(
    en="No padding at all: then case 4 gives all tokens of a sentence one position, the number of "
    "sentences above it.",
    zh="完全没有填充：这时病例4给同一句的所有词元同一个位置，即它上面的句子数。",
)
def all_tokens(n: int) -> Tensor:
    return torch.ones(n, n, dtype=torch.bool)


@exercise.misconception(
    en="The staircase is right, but padding comes after the tokens: it belongs in front of them.",
    zh="台阶的形状对了，但填充跑到了词元后面：它应在词元前面。",
)
def padding_behind(n: int) -> Tensor:
    return torch.ones(n, n, dtype=torch.bool).tril()


@exercise.misconception(
    en="The longest sentence comes first. Nothing is above it, so case 4 puts all of its "
    "tokens at 0.",
    zh="最长的句子排在了最前面。它上面什么也没有，病例4就把它的词元全放在位置0。",
)
def longest_first(n: int) -> Tensor:
    return torch.ones(n, n, dtype=torch.bool).triu()


@exercise.misconception(
    en="One token in each sentence: all of them are at 0, and case 4 counts 0, 1, 2, … down the "
    "last column.",
    zh="每句只有一个词元：它们都在位置0，病例4却沿最后一列数出0、1、2……。",
)
def one_token_each(n: int) -> Tensor:
    return (torch.arange(n) == n - 1).expand(n, n)


@exercise.misconception(
    en="The mask is the wrong way round: it must be true at tokens, and yours is true at padding.",
    zh="掩码反了：词元处应为真，你的是填充处为真。",
)
def true_at_padding(n: int) -> Tensor:
    return ~longer_by_one(n)


@exercise.misconception(
    en="A whole row of padding, then one token more in each sentence: the first sentence is empty.",
    zh="第一行全是填充，之后每句多一个词元：第一句是空的。",
)
def first_row_empty(n: int) -> Tensor:
    return torch.arange(n) > n - 1 - torch.arange(n)[:, None]


@exercise.misconception(
    en="Every column counts 0, but the tokens are on the diagonal, with padding after them. "
    "Padding must come in front: each sentence ends in the last column.",
    zh="每一列数出来的确都是0，但词元排在对角线上，后面还有填充。填充只能在前面：每句都在最后一列结束。",
)
def diagonal(n: int) -> Tensor:
    return torch.eye(n, dtype=torch.bool)
