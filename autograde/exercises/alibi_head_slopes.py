"""Exercise alibi_head_slopes: one slope for each head, for any number of heads."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.alibi import alibi_slopes

exercise = Exercise(
    id="alibi_head_slopes",
    chapter="07_linear_bias",
    title=Text(en="A slope for every head", zh="每个头一个斜率"),
    task=Text(
        en=r"""Return ALiBi's slopes for $H$ heads. If $H$ is a power of two, head $h=1,\dots,H$ has
the slope $2^{-8h/H}$. Otherwise let $n$ be the largest power of two below $H$: first the slopes of
$n$ heads, then every second one of those of $2n$ heads, beginning with the first, until there are
$H$.

In: `heads`, a positive integer. Out: a float tensor of shape `(heads,)`.""",
        zh=r"""返回ALiBi在$H$个头时的斜率。$H$是2的幂时，第$h=1,\dots,H$个头的斜率是$2^{-8h/H}$。
否则设$n$为小于$H$的最大的2的幂：先列出$n$个头的斜率；
再从$2n$个头的斜率里，由第一个起每隔一个取一个，补足$H$个。

输入：`heads`，正整数。输出：浮点张量，形状为`(heads,)`。""",
    ),
    signature="alibi_head_slopes(heads) -> (heads,)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="Write down the slopes of 4 and of 8 heads. By the rule, what are those of 6?",
            zh="写出4个头和8个头的斜率。按这条规则，6个头的斜率是哪些？",
        ),
        Text(
            en="`2 ** (heads.bit_length() - 1)` is the largest power of two that is not above "
            "`heads`.",
            zh="不超过`heads`的最大的2的幂是`2 ** (heads.bit_length() - 1)`。",
        ),
        Text(
            en="With `n` that power: exponents `8 * h / n` for h = 1 … n, then `4 * h / n` for "
            "h = 1, 3, 5, …, `heads - n` of them; the slopes are 2 to minus these.",
            zh="设这个幂为`n`：先是h = 1…n的指数`8 * h / n`，再是h = 1, 3, 5…的`4 * h / n`，"
            "共`heads - n`个；斜率就是2的负指数次方。",
        ),
    ),
)


@exercise.truth
def published_slopes(heads: int) -> Tensor:
    """Return the slopes of the next smaller power of two, then every second of the doubled one."""
    return alibi_slopes(heads)


@exercise.check(en="one slope for each head", zh="每个头一个斜率")
def shape(answer: Function, rng: torch.Generator) -> None:
    for heads in (1, 8, 12):
        expect_shape(answer(heads), (heads,))


@exercise.check(en="right for a power of two", zh="头数为2的幂时正确", weight=3)
def powers(answer: Function, rng: torch.Generator) -> None:
    (exponent,) = torch.randint(5, 9, (1,), generator=rng).tolist()
    for heads in (8, 16, 4, 2, 1, 2**exponent):
        expect_agreement(answer, exercise.true_answer, heads, atol=1e-7)


@exercise.check(en="right for any other number of heads", zh="其他头数也正确", weight=3)
def any_number(answer: Function, rng: torch.Generator) -> None:
    for n in (8, 64, 16, 2, 256):
        (more,) = torch.randint(n // 2, n, (1,), generator=rng).tolist()
        expect_agreement(answer, exercise.true_answer, n + more, atol=1e-7)
    expect_close(answer(6), torch.tensor([1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8]))


@exercise.misconception(
    en="You counted heads from 0, so the first slope is 1 and each is too large by the factor "
    "2^(8/H). Head h = 1 has 2^(-8/H). (An H that is not a power of two has its own rule.)",
    zh="你从0开始数头，第一个斜率成了1，每一个都大到2^(8/H)倍。h从1开始，第一个头是2^(-8/H)。"
    "（另外，H不是2的幂时另有规则。）",
)
def from_zero(heads: int) -> Tensor:
    return 2.0 ** (-8 * torch.arange(heads) / heads)


@exercise.misconception(
    en="You used the formula for powers of two for all H. The published slopes for other H are "
    "those of the next smaller power, then every second of the doubled number.",
    zh="2的幂时是对的，但你把这个式子用到了所有的H。其他H的公开做法是：先取较小的2的幂的斜率，"
    "再从两倍的那一组里隔一个取一个。",
)
def formula_for_all(heads: int) -> Tensor:
    return 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)


@exercise.misconception(
    en="The minus of the exponent is missing: slopes of 8 heads grow from 2 to 256 instead of "
    "falling from 1/2 to 1/256. (An H that is not a power of two has its own rule.)",
    zh="指数漏了负号：8个头的斜率从2升到256，本应从1/2降到1/256。（另外，H不是2的幂时另有规则。）",
)
def plus_for_all(heads: int) -> Tensor:
    return 1 / formula_for_all(heads)


@exercise.misconception(
    en="The minus of the exponent is missing: slopes of 8 heads grow from 2 to 256 instead of "
    "falling from 1/2 to 1/256.",
    zh="指数漏了负号：8个头的斜率从2升到256，本应从1/2降到1/256。",
)
def plus(heads: int) -> Tensor:
    return 1 / alibi_slopes(heads)


@exercise.misconception(
    en="The slopes h/H rise in equal steps: most heads look about equally far. The published ones "
    "are geometric, so that of 8 heads each sees twice as far as the one before.",
    zh="斜率h/H等差上升，多数头看得差不多远。公开的斜率是等比的：8个头时，"
    "每个头都比前一个看远一倍。",
)
def arithmetic(heads: int) -> Tensor:
    return torch.arange(1, heads + 1) / heads


@exercise.misconception(
    en="Both ends are right, but between them the steps are equal. In a geometric sequence the "
    "*quotients* of neighbours are equal.",
    zh="首尾都对，但中间是等差的。等比数列是相邻两个之*比*相等。",
)
def equal_steps_between(heads: int) -> Tensor:
    return torch.linspace(2.0 ** (-8 / heads), 2.0**-8, heads)


@exercise.misconception(
    en="Each head halves the slope of the one before, whatever H: that is right for 8 heads only. "
    "With 16 heads the last slope should still be 1/256.",
    zh="不管H是多少，每个头都减半：只有8个头时才对。16个头时，最后一个斜率也应是1/256。",
)
def always_halved(heads: int) -> Tensor:
    return 0.5 ** torch.arange(1, heads + 1)


@exercise.misconception(
    en="You sorted the slopes. Head number h of a checkpoint was trained with its own slope: first "
    "those of the smaller power, then the additional ones.",
    zh="你把斜率排了序。checkpoint里第h个头是按它自己的斜率训练的：先是较小的2的幂的那些，"
    "再是补上的那些。",
)
def in_order(heads: int) -> Tensor:
    return alibi_slopes(heads).sort(descending=True).values


@exercise.misconception(
    en="You began with the next *larger* power of two and cut its slopes off. Begin with the next "
    "smaller one, all of its slopes, and then add.",
    zh="你取的是比H大的最小的2的幂，再截掉后面的斜率。应先取比H小的最大的2的幂，它的斜率全部列出，"
    "再补。",
)
def cut_off(heads: int) -> Tensor:
    return alibi_slopes(2 ** (heads - 1).bit_length())[:heads]


@exercise.misconception(
    en="You added the *even* ones of the doubled number; the additional slopes begin with the "
    "first: 2^(-4/n), 2^(-12/n), ….",
    zh="补上的斜率你取了偶数位的；应从第一个取起：2^(-4/n)、2^(-12/n)……",
)
def even_ones(heads: int) -> Tensor:
    n = 2 ** (heads.bit_length() - 1)
    more = alibi_slopes(2 * n)[1::2][: heads - n]
    return torch.cat((alibi_slopes(n), more))


@exercise.misconception(
    en="The rule for other H is there, but you counted heads from 0, so the first slope is 1. "
    "h runs from 1, and the first slope of n heads is 2^(-8/n).",
    zh="其他H的规则用上了，但你从0开始数头，第一个斜率成了1。h从1开始，n个头里第一个是2^(-8/n)。",
)
def rule_from_zero(heads: int) -> Tensor:
    n = 2 ** (heads.bit_length() - 1)
    return 2.0 ** (-8 * torch.cat((torch.arange(n), torch.arange(heads - n))) / n)


@exercise.misconception(
    en="You took the additional slopes one after the other; take every second one of the doubled "
    "number: 2^(-4/n), 2^(-12/n), ….",
    zh="补上的斜率你是挨个取的；应从两倍的那一组里隔一个取一个：2^(-4/n)、2^(-12/n)……",
)
def one_after_the_other(heads: int) -> Tensor:
    n = 2 ** (heads.bit_length() - 1)
    return torch.cat((alibi_slopes(n), alibi_slopes(2 * n)[: heads - n]))


@exercise.misconception(
    en="The additional slopes come first. Head number h of a checkpoint was trained with its "
    "own slope: first those of the smaller power, then the additional ones.",
    zh="补上的斜率放到了前面。checkpoint里第h个头是按它自己的斜率训练的：先是较小的2的幂的那些，"
    "再是补上的那些。",
)
def additional_ones_first(heads: int) -> Tensor:
    n = 2 ** (heads.bit_length() - 1)
    return alibi_slopes(heads).roll(heads - n)


@exercise.misconception(
    en="A power of two was split as well: for 8 heads you took the 4 slopes of 4 heads and added "
    "4. If H is a power of two, the formula gives all of its slopes.",
    zh="2的幂也被你拆开了：8个头时，你先取4个头的4个斜率，再补4个。H是2的幂时，"
    "公式直接给出全部斜率。",
)
def splits_a_power(heads: int) -> Tensor:
    n = max(1, 2 ** ((heads - 1).bit_length() - 1))
    return torch.cat((alibi_slopes(n), alibi_slopes(2 * n)[::2][: heads - n]))


@exercise.misconception(
    en="`//` makes every exponent a whole number: with more than 8 heads, several get the same "
    "slope. Divide with `/`.",
    zh="`//`把每个指数都取成了整数：超过8个头时，好几个头的斜率就相同了。请用`/`来除。",
)
def whole_exponents(heads: int) -> Tensor:
    n = 2 ** (heads.bit_length() - 1)
    first, more = torch.arange(1, n + 1), torch.arange(1, 2 * n, 2)[: heads - n]
    return 2.0 ** torch.cat((-8 * first // n, -8 * more // (2 * n)))


@exercise.misconception(
    en="The base is e, as `exp` has it; the slopes are powers of 2. With 8 heads the last one "
    "would be 1/2981 instead of 1/256: every head sees further than it should.",
    zh="你用了以e为底的`exp`；斜率是2的幂。8个头时，最后一个成了1/2981，应为1/256：每个头都"
    "看得过远。",
)
def powers_of_e(heads: int) -> Tensor:
    return (alibi_slopes(heads).log2()).exp()


@exercise.misconception(
    en="All of the additional slopes are there, n of them, so that H heads get 2n slopes. Take "
    "the first H − n.",
    zh="补上的斜率全部列出了，有n个，于是H个头得到2n个斜率。只取前H − n个。",
)
def two_n_slopes(heads: int) -> Tensor:
    n = 2 ** (heads.bit_length() - 1)
    more = alibi_slopes(2 * n)[::2] if n < heads else torch.ones(0)
    return torch.cat((alibi_slopes(n), more))
