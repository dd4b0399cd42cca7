"""Exercise mend_late_mask: the causal mask came after the softmax."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="mend_late_mask",
    chapter="01_permutation",
    title=Text(en="Fix: the mask that came too late", zh="改错：来得太晚的掩码"),
    task=Text(
        en="""Fix `late_mask`: turn scores into causal attention weights. Query i attends to keys
0 … i only, every row sums to 1, and nothing about the future leaks into it, however large the
future scores are.

In: `scores` of shape `(L, L)`. Out: weights of shape `(L, L)`.""",
        zh="""修好`late_mask`：把得分变成因果注意力权重。查询i只看键0到i，每一行之和为1，
而且无论未来的得分多大，都不泄露任何关于未来的信息。

输入：`scores`形状为`(L, L)`。输出：权重，形状为`(L, L)`。""",
    ),
    signature="mend_late_mask(scores) -> (L, L)",
    points=2,
    difficulty=2,
    minutes=7,
    hints=(
        Text(
            en="The softmax divides by a sum over *all* keys, the future ones included. What if "
            "they were gone before that?",
            zh="softmax的分母是对*所有*键求和，未来的也在内。要是在这之前就把它们去掉呢？",
        ),
        Text(
            en="Which score s has exp(s) = 0? Not 0: exp(0) = 1.",
            zh="得分s取多少时exp(s) = 0？不是0：exp(0) = 1。",
        ),
        Text(
            en="`scores.masked_fill(future, -torch.inf)`, then the softmax; `future` is True "
            "above the diagonal.",
            zh="先`scores.masked_fill(future, -torch.inf)`，"
            "再做softmax；`future`在对角线上方为True。",
        ),
    ),
)


@exercise.truth
def row_by_row(scores: Tensor) -> Tensor:
    weights = torch.zeros_like(scores)
    for i, row in enumerate(scores):
        weights[i, : i + 1] = row[: i + 1].softmax(0)
    return weights


def _scores(length: int, rng: torch.Generator) -> Tensor:
    return torch.randint(-4, 5, (length, length), generator=rng) / 2  # some of them exactly 0


@exercise.check(en="keeps the shape (L, L)", zh="保持形状(L, L)")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length in (4, 1):
        expect_shape(answer(_scores(length, rng)), (length, length))


@exercise.check(en="no weight on the future", zh="未来的权重为0")
def no_future(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(_scores(5, rng)), (5, 5))
    expect(
        (got.triu(1) == 0).all(),
        "not everything above the diagonal is 0: a token attends to a later one, or its row is NaN",
        "对角线上方不全是0：有词元看了之后的词元，或者那一行是NaN",
    )


@exercise.check(en="every row sums to 1", zh="每一行之和为1", weight=2)
def rows(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(_scores(5, rng)), (5, 5)).sum(1)
    for i, total in enumerate(got.tolist()):
        expect(abs(total - 1) < 1e-4, f"row {i} sums to {total:.3g}", f"第{i}行之和为{total:.3g}")


@exercise.check(
    en="each row is the softmax over its visible keys",
    zh="每一行是对看得见的键做的softmax",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for length in (1, 3, int(torch.randint(5, 9, (), generator=rng)), 101):
        expect_agreement(answer, row_by_row, _scores(length, rng))
    expect_agreement(answer, row_by_row, torch.randn(6, 6, generator=rng))


@exercise.check(
    en="still right when a future score is larger than all visible ones by about 200, or 20000",
    zh="未来的某个得分比看得见的大200左右或20000左右时也正确",
)
def dominant_future(answer: Function, rng: torch.Generator) -> None:
    for excess, level in ((200.0, 0.0), (20_000.0, 0.0), (200.0, -20_000.0)):
        scores = _scores(5, rng) + level  # a finite number in the mask may be above the level
        scores[:4, 4] += excess
        # at a level of −20,000 float32 rounds a logsumexp by 1/1000
        expect_agreement(answer, row_by_row, scores, rtol=5e-3)


@exercise.check(
    en="still right when a visible score is larger than all others by about 200",
    zh="看得见的某个得分比其他得分大200左右时也正确",
)
def dominant_visible(answer: Function, rng: torch.Generator) -> None:
    scores = _scores(5, rng)
    scores[:, 0] += 200.0
    expect_agreement(answer, row_by_row, scores)


@exercise.misconception(
    en="Right on paper, not in float32: you mask after the softmax and normalise again, guarded "
    "against 0/0. When a future score is 200 larger, all visible weights have underflowed to 0, "
    "and the row stays 0.",
    zh="纸面上对，float32里不对：你先softmax再掩码再归一化，并防住了0/0。未来的得分大200时，"
    "看得见的权重全都下溢成0，这一行就一直是0。",
)
def renormalised_with_guard(scores: Tensor) -> Tensor:
    weights = scores.softmax(-1).tril()
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)


@exercise.misconception(
    en="Still the broken version: the mask comes after the softmax. Only the last row sums to 1, "
    "and how much is missing tells about the future.",
    zh="还是有错的那个版本：掩码加在softmax之后。除最后一行外，各行之和都不到1，"
    "缺多少恰好泄露了未来的信息。",
)
def unchanged(scores: Tensor) -> Tensor:
    return scores.softmax(-1).tril()


@exercise.misconception(
    en="Before the softmax future scores are 0, or as near to 0 as makes no difference. exp(0) = 1 "
    "is a weight like any other; it takes −inf to get 0.",
    zh="softmax之前，未来的得分成了0，或者几乎是0。exp(0) = 1，照样有权重；要得到0，得用−inf。",
)
def zero_before(scores: Tensor) -> Tensor:
    return scores.tril().softmax(-1)


@exercise.misconception(
    en="You masked with a finite number. It is not small enough: the future keeps a weight, and "
    "more of it when visible scores are low. Only −inf gives exactly 0 whatever the scores are.",
    zh="你用一个有限的数来遮。它不够小：未来仍有权重，看得见的得分越低，漏得越多。"
    "只有−inf才能保证恰好得到0。",
)
def finite(scores: Tensor) -> Tensor:
    return torch.where(scores.new_ones(scores.shape).tril() == 1, scores, -50.0).softmax(-1)


@exercise.misconception(
    en="You hid every score that *is* 0 after tril, even a visible one that happens to be 0. Make "
    "the mask from positions, not from scores.",
    zh="tril之后凡是等于0的得分你都遮住了，看得见的得分碰巧是0时也不例外。掩码要由位置来定，不能由得分来定。",
)
def hides_zeros(scores: Tensor) -> Tensor:
    return scores.masked_fill(scores.tril() == 0, -torch.inf).softmax(-1)


@exercise.misconception(
    en="You multiplied a 0/1 mask by −inf: 0 · (−inf) is NaN, so visible scores became NaN. Use "
    "masked_fill.",
    zh="你用0/1掩码去乘−inf：0 · (−inf)是NaN，看得见的得分也成了NaN。应当用masked_fill。",
)
def zero_times_infinity(scores: Tensor) -> Tensor:
    return (scores - torch.ones_like(scores).triu(1) * torch.inf).softmax(-1)


@exercise.misconception(
    en="Right on paper, not in float32: you mask after the softmax and normalise again. When a "
    "future score is 200 larger, all visible weights have underflowed to 0, and 0/0 is NaN.",
    zh="纸面上对，float32里不对：你先softmax再掩码再归一化。未来的得分大200时，"
    "看得见的权重全都下溢成0，0/0得NaN。",
)
def renormalised(scores: Tensor) -> Tensor:
    weights = scores.softmax(-1).tril()
    return weights / weights.sum(-1, keepdim=True)


@exercise.misconception(
    en="Upside down: the past was masked, and each token attends to the future.",
    zh="上下颠倒了：遮住的是过去，每个词元看的是未来。",
)
def upside_down(scores: Tensor) -> Tensor:
    past = torch.ones_like(scores).bool().tril(-1)
    return scores.masked_fill(past, -torch.inf).softmax(-1)


@exercise.misconception(
    en="Off by one: the diagonal is masked too, so token 0 sees nothing and its row is NaN.",
    zh="差了一格：对角线也被遮住了，词元0什么也看不见，那一行是NaN。",
)
def without_itself(scores: Tensor) -> Tensor:
    hidden = torch.ones_like(scores).bool().triu()
    return scores.masked_fill(hidden, -torch.inf).softmax(-1)


@exercise.misconception(
    en="The wrong way round: masked_fill writes −inf where its mask is True, and yours is True "
    "where a token *may* look. The last token then sees nothing, and its row is NaN.",
    zh="弄反了：masked_fill在掩码为True的地方填−inf，而你的掩码在*可以*看的地方为True。"
    "最后一个词元什么也看不见，那一行是NaN。",
)
def hides_the_visible(scores: Tensor) -> Tensor:
    return scores.masked_fill(torch.ones_like(scores).bool().tril(), -torch.inf).softmax(-1)


@exercise.misconception(
    en="The mask is right, but your softmax runs over the queries: columns sum to 1. It must run "
    "over the keys, the last axis.",
    zh="掩码是对的，但你的softmax沿着查询做，和为1的是列。应当沿着键，也就是最后一个轴。",
)
def over_queries(scores: Tensor) -> Tensor:
    return masked_scores(scores).softmax(0)


@exercise.misconception(
    en="The mask is right, but these are still scores: the softmax over each row is missing.",
    zh="掩码是对的，但这还是得分：还差对每一行做softmax。",
)
def masked_scores(scores: Tensor) -> Tensor:
    return scores.masked_fill(torch.ones_like(scores).bool().triu(1), -torch.inf)


@exercise.misconception(
    en="The mask is right, but exp overflows in float32 beyond 88, and inf/inf is NaN. Subtract "
    "the largest visible score of the row first; torch.softmax does it for you.",
    zh="掩码是对的，但float32的exp超过88就会溢出，inf/inf得NaN。"
    "先减去这一行看得见的最大得分；torch.softmax会替你做。",
)
def overflow(scores: Tensor) -> Tensor:
    odds = scores.exp().tril()
    return odds / odds.sum(-1, keepdim=True)


@exercise.misconception(
    en="Off by one: each token still sees the next one, which is the very token it should predict.",
    zh="差了一格：每个词元仍能看见下一个词元，而那正是它要预测的。",
)
def sees_the_next(scores: Tensor) -> Tensor:
    hidden = torch.ones_like(scores).bool().triu(2)
    return scores.masked_fill(hidden, -torch.inf).softmax(-1)


@exercise.misconception(
    en="You subtracted a finite number from the future scores. One that is larger by more than "
    "that still gets all the weight. Only −inf is enough for every score.",
    zh="你从未来的得分里减去了一个有限的数。得分要是比它还大，权重照样全归未来。"
    "只有−inf对任何得分都够用。",
)
def subtracted(scores: Tensor) -> Tensor:
    return (scores - 1e4 * torch.ones_like(scores).triu(1)).softmax(-1)
