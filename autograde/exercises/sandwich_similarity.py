"""Exercise sandwich_similarity: a relative bias out of the sinusoidal table."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="sandwich_similarity",
    chapter="07_linear_bias",
    title=Text(en="Sandwich: a sum of cosines", zh="Sandwich：余弦之和"),
    task=Text(
        en=r"""Return Sandwich's bias. The encoding of position $p$ has two channels for each
$n=1,\dots,d/2$ (from 1, as in NVIDIA NeMo's code): $\sin p\,\omega_n$ and $\cos p\,\omega_n$ with
$\omega_n=10000^{-2n/d}$. The bias of head $h=1,\dots,H$ is the dot product of the encodings of
query and key, less what it is at distance 0, divided by $8h/H$.

In: `length`, `heads` ($H$), `dim` ($d$, even). Out: shape `(heads, length, length)`.""",
        zh=r"""返回Sandwich的偏置。位置$p$的编码，对每个$n=1,\dots,d/2$
（与NVIDIA NeMo的代码一致，从1开始）有两个通道：
$\sin p\,\omega_n$和$\cos p\,\omega_n$，其中$\omega_n=10000^{-2n/d}$。
第$h=1,\dots,H$个头的偏置，是查询与键的编码的点积，减去它在距离0处的值，再除以$8h/H$。

输入：`length`、`heads`（$H$）、`dim`（$d$，偶数）。输出：形状为`(heads, length, length)`。""",
    ),
    signature="sandwich_similarity(length, heads, dim) -> (heads, length, length)",
    points=3,
    difficulty=3,
    minutes=15,
    hints=(
        Text(
            en="One pair of channels adds sin a · sin b + cos a · cos b to the dot product. Which "
            "cosine is that, and what is it at distance 0?",
            zh="一对通道给点积添上sin a · sin b + cos a · cos b。这是哪个角的余弦？"
            "距离0处等于多少？",
        ),
        Text(
            en="So the dot product is a sum of dim/2 cosines of distance times frequency, and "
            "dim/2 at distance 0. All heads share it; only the divisor differs.",
            zh="所以点积是dim/2个余弦之和，角度是距离乘频率，距离0处等于dim/2。"
            "所有头都用这一个和，只是除数不同。",
        ),
        Text(
            en="`omega = 10000.0 ** (-2 * n / dim)` with n = 1 … dim/2, then "
            "`(relative[..., None] * omega).cos().sum(-1)`, shape (length, length). Divide by "
            "`8 * h / heads` of shape (heads, 1, 1) with h = 1 … heads.",
            zh="`omega = 10000.0 ** (-2 * n / dim)`，n = 1…dim/2；然后"
            "`(relative[..., None] * omega).cos().sum(-1)`，形状为(length, length)。"
            "除以形状为(heads, 1, 1)的`8 * h / heads`，h = 1…heads。",
        ),
    ),
)


@exercise.truth
def dot_products(length: int, heads: int, dim: int) -> Tensor:
    """Return each head's share of the dot products, less that at distance 0."""
    n = torch.arange(1, dim // 2 + 1, dtype=torch.float64)
    angles = torch.arange(length)[:, None] * 10000.0 ** (-2 * n / dim)
    encoding = torch.cat((angles.sin(), angles.cos()), dim=1)  # (length, dim)
    penalty = encoding @ encoding.T - dim / 2
    return torch.stack([penalty / (8 * h / heads) for h in range(1, heads + 1)]).float()


def _bias(length: int, heads: int, dim: int, n: Tensor, shift: float) -> Tensor:
    p = torch.arange(length)
    omega = 10000.0 ** (-2 * n.double() / dim)
    total = ((p[None, :] - p[:, None])[..., None] * omega).cos().sum(-1)
    return ((total - shift) / (8 * torch.arange(1, heads + 1)[:, None, None] / heads)).float()


def _right(length: int, heads: int, dim: int) -> Tensor:
    return _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), dim / 2)


@exercise.check(en="one table for each head", zh="每个头一张表")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(5, 3, 8), (3, 5, 5))
    expect_shape(answer(1, 1, 4), (1, 1, 1))


@exercise.check(en="0 at distance 0 and negative elsewhere", zh="距离0处为0，其余为负", weight=2)
def penalty(answer: Function, rng: torch.Generator) -> None:
    length, heads, pairs = torch.randint(4, 9, (3,), generator=rng).tolist()
    table = expect_shape(answer(length, heads, 2 * pairs), (heads, length, length))
    expect(
        bool((table.diagonal(dim1=1, dim2=2).abs() < 1e-4).all()),
        "the diagonal is not 0: there the dot product is dim/2",
        "对角线不是0：那里的点积等于dim/2",
    )
    beside = table[:, ~torch.eye(length, dtype=torch.bool)]
    expect(bool((beside < 0).all()), "a distance is not penalised", "有的距离没有被扣分")


@exercise.check(en="equals the definition", zh="与定义一致", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    length, heads, pairs = torch.randint(3, 10, (3,), generator=rng).tolist()
    first = (length, heads, 2 * (heads + pairs))  # no divisor is d/2 and H at once
    for sizes in (first, (210 + length, 3, 16), (9, 2, 140), (3, 1, 2)):
        expect_agreement(answer, exercise.true_answer, *sizes, atol=1e-4)


@exercise.misconception(
    en="n begins at 0 in your sum, as in the sinusoidal table: then the fastest cosine has "
    "frequency 1. Here, as in NeMo's code, n begins at 1.",
    zh="你的求和从n = 0开始，和正弦编码表一样，余弦的最高频率就是1了。这里与NeMo的代码一致，"
    "从1开始。",
)
def from_zero(length: int, heads: int, dim: int) -> Tensor:
    return _bias(length, heads, dim, torch.arange(dim // 2), dim / 2)


@exercise.misconception(
    en="One cosine is missing: n runs from 1 to dim/2 *inclusive*, and `torch.arange` leaves out "
    "its end.",
    zh="少了一项余弦：n从1取到dim/2，*包括*dim/2，而`torch.arange`不含终点。",
)
def one_short(length: int, heads: int, dim: int) -> Tensor:
    return _bias(length, heads, dim, torch.arange(1, dim // 2), dim / 2)


@exercise.misconception(
    en="The dot product at distance 0, d/2, was not subtracted: near keys get a bonus instead of "
    "far ones a penalty. (Softmax does not see the constant; beside the score of a sink it does.)",
    zh="没有减去距离0处的点积d/2：成了近处加分，而不是远处扣分。"
    "（softmax看不出这个常数；旁边若另有汇点的得分，就看得出来。）",
)
def not_shifted(length: int, heads: int, dim: int) -> Tensor:
    return _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), 0.0)


@exercise.misconception(
    en="You multiplied by 8h/H. NeMo's code divides: later heads see further.",
    zh="你乘了8h/H。NeMo的代码是除：越靠后的头看得越远。",
)
def multiplied(length: int, heads: int, dim: int) -> Tensor:
    scale = 8 * torch.arange(1, heads + 1)[:, None, None] / heads
    return _right(length, heads, dim) * scale**2


@exercise.misconception(
    en="Heads are counted from 0: the first one divides by 0. h runs from 1 to H.",
    zh="头从0数起，第一个头就除以了0。h从1到H。",
)
def heads_from_zero(length: int, heads: int, dim: int) -> Tensor:
    right = _right(length, heads, dim)
    h = torch.arange(heads)[:, None, None]
    return right * (h + 1) / h


@exercise.misconception(
    en="The division by 8h/H is missing: all heads have the same bias.",
    zh="少除了8h/H：所有头的偏置都一样了。",
)
def not_divided(length: int, heads: int, dim: int) -> Tensor:
    scale = 8 * torch.arange(1, heads + 1)[:, None, None] / heads
    return _right(length, heads, dim) * scale


@exercise.misconception(
    en="`/ 8 * h / heads` divides by 8 and then *multiplies* by h. Put the whole divisor in "
    "brackets: `/ (8 * h / heads)`.",
    zh="`/ 8 * h / heads`是先除以8，再*乘*h。除数要整个放进括号：`/ (8 * h / heads)`。",
)
def without_brackets(length: int, heads: int, dim: int) -> Tensor:
    right = _right(length, heads, dim)
    return right * (torch.arange(1, heads + 1)[:, None, None] / heads) ** 2


@exercise.misconception(
    en="The exponent is half as large as it should be, −n/d for −2n/d: the slowest cosine then has "
    "the frequency 1/100, and the penalty stops growing after a few hundred tokens.",
    zh="指数只有应有的一半，成了−n/d而不是−2n/d：余弦的最低频率是1/100，"
    "几百个词元之后扣分就不再增长。",
)
def half_the_exponent(length: int, heads: int, dim: int) -> Tensor:
    return _bias(length, heads, dim, torch.arange(1, dim // 2 + 1) / 2, dim / 2)


@exercise.misconception(
    en="You took the mean of the cosines, less 1. The dot product adds them: the penalty is d/2 "
    "times as large.",
    zh="你取了余弦的平均，再减1。点积是相加：扣分是这个的d/2倍。",
)
def mean_of_cosines(length: int, heads: int, dim: int) -> Tensor:
    return _right(length, heads, dim) / (dim / 2)


@exercise.misconception(
    en="You multiplied by ALiBi's slopes, 2^(−8h/H). Sandwich divides by 8h/H: its factor H/(8h) "
    "falls much more slowly from head to head.",
    zh="你乘了ALiBi的斜率2^(−8h/H)。Sandwich是除以8h/H，各头之间的差别小得多。",
)
def slopes_of_alibi(length: int, heads: int, dim: int) -> Tensor:
    h = torch.arange(1, heads + 1)[:, None, None]
    return _right(length, heads, dim) * (8 * h / heads) * 2.0 ** (-8 * h / heads)


@exercise.misconception(
    en="d/2 was subtracted after the division: only the head that divides by 1 is then 0 at "
    "distance 0. Subtract first, then divide.",
    zh="先除后减了d/2：这样只有除数为1的头在距离0处才是0。应当先减，再除。",
)
def subtracted_last(length: int, heads: int, dim: int) -> Tensor:
    return _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), 0.0) - dim / 2


@exercise.misconception(
    en="You subtracted d. The encoding has d channels, but a sine and a cosine together give 1, so "
    "the dot product at distance 0 is d/2.",
    zh="你减去的是d。编码有d个通道，但一个sin和一个cos合起来才是1，所以距离0处的点积是d/2。",
)
def subtracts_dim(length: int, heads: int, dim: int) -> Tensor:
    return _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), float(dim))


@exercise.misconception(
    en="The 8 is missing from the divisor 8h/H: every bias is 8 times as large as it should be, "
    "and every head sees less far.",
    zh="除数8h/H里漏了8：每个偏置都成了应有的8倍，每个头都看得太近。",
)
def without_eight(length: int, heads: int, dim: int) -> Tensor:
    return 8 * _right(length, heads, dim)


@exercise.misconception(
    en="`8 * h // heads` rounds the divisor down, to 0 for the first heads as soon as there are "
    "more than 8. Divide with `/`.",
    zh="`8 * h // heads`把除数向下取整，超过8个头时，靠前的头就除以0了。请用`/`。",
)
def whole_division(length: int, heads: int, dim: int) -> Tensor:
    h = torch.arange(1, heads + 1)[:, None, None]
    return _right(length, heads, dim) * (8 * h / heads) / (8 * h // heads)


@exercise.misconception(
    en="You divided by 8h. The divisor is 8h/H: every bias is H times too small.",
    zh="你除以了8h。除数是8h/H：每个偏置都只有应有的1/H。",
)
def without_the_number_of_heads(length: int, heads: int, dim: int) -> Tensor:
    return _right(length, heads, dim) / heads
