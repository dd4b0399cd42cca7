"""Exercise sandwich_similarity: a relative bias out of the sinusoidal table."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="sandwich_similarity",
    chapter="07_linear_bias",
    title=Text(en="Sandwich: a sum of cosines", zh="Sandwich：余弦之和"),
    task=Text(
        en=r"""Return Sandwich's bias, the dot product of two sinusoidal encodings made into a
penalty:

$$b_h(i,j)=\Bigl(\sum_{n=1}^{d/2}\cos\frac{j-i}{10000^{2n/d}}-\frac d2\Bigr)\Big/\frac{8h}{H},
\qquad h=1,\dots,H.$$

In: `length`, `heads`, `dim` ($d$, even). Out: shape `(heads, length, length)`. As in
NVIDIA NeMo's code, $n$ begins at 1.""",
        zh=r"""返回Sandwich的偏置：把两个正弦编码的点积变成扣分，

$$b_h(i,j)=\Bigl(\sum_{n=1}^{d/2}\cos\frac{j-i}{10000^{2n/d}}-\frac d2\Bigr)\Big/\frac{8h}{H},
\qquad h=1,\dots,H.$$

输入：`length`、`heads`、`dim`（$d$，偶数）。输出：形状为`(heads, length, length)`。
与NVIDIA NeMo的代码一致，$n$从1开始。""",
    ),
    signature="sandwich_similarity(length, heads, dim) -> (heads, length, length)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="Frequencies first: `10000.0 ** (-2 * n / dim)` for n = 1 … dim/2.",
            zh="先算频率：n = 1…dim/2时的`10000.0 ** (-2 * n / dim)`。",
        ),
        Text(
            en="`(relative[..., None] * omega).cos().sum(-1)` has shape (length, length); at "
            "distance 0 it is dim/2.",
            zh="`(relative[..., None] * omega).cos().sum(-1)`形状为(length, length)，"
            "距离0处等于dim/2。",
        ),
        Text(
            en="Subtract dim/2, then divide by `8 * h / heads` of shape (heads, 1, 1) with "
            "h = 1 … heads.",
            zh="减去dim/2，再除以形状为(heads, 1, 1)的`8 * h / heads`，h = 1…heads。",
        ),
    ),
)


def _bias(length: int, heads: int, dim: int, n: Tensor, shift: float) -> Tensor:
    p = torch.arange(length)
    omega = 10000.0 ** (-2 * n.double() / dim)
    total = ((p[None, :] - p[:, None])[..., None] * omega).cos().sum(-1)
    return ((total - shift) / (8 * torch.arange(1, heads + 1)[:, None, None] / heads)).float()


@exercise.check(en="one table for each head", zh="每个头一张表")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(5, 3, 8), (3, 5, 5))


@exercise.check(en="0 at distance 0 and negative elsewhere", zh="距离0处为0，其余为负", weight=2)
def penalty(answer: Function, rng: torch.Generator) -> None:
    table = expect_shape(answer(6, 2, 8), (2, 6, 6))
    expect(
        bool((table.diagonal(dim1=1, dim2=2).abs() < 1e-5).all()),
        "the diagonal is not 0: the sum of cosines is dim/2 there",
        "对角线不是0：那里余弦之和等于dim/2",
    )
    beside = table[:, ~torch.eye(6, dtype=torch.bool)]
    expect(bool((beside < 0).all()), "a distance is not penalised", "有的距离没有被扣分")


@exercise.check(en="equals the formula", zh="与公式一致", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    for length, heads, dim in ((7, 3, 8), (1, 1, 2), (20, 8, 64)):
        want = _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), dim / 2)
        expect_close(answer(length, heads, dim), want, atol=1e-4)


@exercise.misconception(
    en="n begins at 0 in your sum, as in the sinusoidal table: then the fastest cosine has "
    "frequency 1. Here, as in NeMo's code, n begins at 1.",
    zh="你的求和从n = 0开始，和正弦编码表一样，最快的余弦频率就是1了。"
    "这里与NeMo的代码一致，从1开始。",
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
    en="The shift by −d/2 is missing, or the sum runs to d and not to d/2: near keys get a bonus "
    "instead of far ones a penalty. (Softmax does not see the constant; the score of a sink "
    "beside it would make it seen.)",
    zh="少减了d/2，或者求和求到了d，而不是d/2：成了近处加分，而不是远处扣分。"
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
    return _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), dim / 2) * scale**2


@exercise.misconception(
    en="Heads are counted from 0: the first one divides by 0. h runs from 1 to H.",
    zh="头从0数起，第一个头就除以了0。h从1到H。",
)
def heads_from_zero(length: int, heads: int, dim: int) -> Tensor:
    right = _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), dim / 2)
    h = torch.arange(heads)[:, None, None]
    return right * (h + 1) / h


@exercise.misconception(
    en="The division by 8h/H is missing: all heads have the same bias.",
    zh="少除了8h/H：所有头的偏置都一样了。",
)
def not_divided(length: int, heads: int, dim: int) -> Tensor:
    scale = 8 * torch.arange(1, heads + 1)[:, None, None] / heads
    return _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), dim / 2) * scale


@exercise.misconception(
    en="`/ 8 * h / heads` divides by 8 and then *multiplies* by h. Put the whole divisor in "
    "brackets: `/ (8 * h / heads)`.",
    zh="`/ 8 * h / heads`是先除以8，再*乘*h。除数要整个放进括号：`/ (8 * h / heads)`。",
)
def without_brackets(length: int, heads: int, dim: int) -> Tensor:
    right = _bias(length, heads, dim, torch.arange(1, dim // 2 + 1), dim / 2)
    return right * (torch.arange(1, heads + 1)[:, None, None] / heads) ** 2
