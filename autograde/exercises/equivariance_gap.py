"""Exercise equivariance_gap: how far a function is from being permutation equivariant."""

import torch
from torch import Tensor

from autograde.kit.callback import FLOATS, Callback, has_axes
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect_values import expect_agreement, expect_number
from bilingual import Text
from posenc_ref.attention import attention

exercise = Exercise(
    id="equivariance_gap",
    chapter="01_permutation",
    title=Text(en="The equivariance gap", zh="等变误差"),
    task=Text(
        en=r"""Measure how far a function of a sequence is from being equivariant: return the
largest entry of $|f(PX)-P\,f(X)|$, where $PX$ is `x[order]`. For an equivariant function it
is 0, apart from rounding.

In: `f`, a function from `(L, d)` to `(L, m)`; `x` of shape `(L, d)`; `order`, an integer tensor of
shape `(L,)`. Out: one number.""",
        zh=r"""测量一个作用于序列的函数离等变有多远：返回$|f(PX)-P\,f(X)|$中最大的元素，
其中$PX$就是`x[order]`。对等变的函数，结果为0（舍入误差除外）。

输入：`f`，把`(L, d)`变成`(L, m)`的函数；`x`形状为`(L, d)`；`order`是形状为`(L,)`的整数张量。
输出：一个数。""",
    ),
    signature="equivariance_gap(f, x, order) -> number",
    points=3,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Two ways to the same place: reorder first and then apply f, or apply f first and "
            "then reorder. How far apart do you arrive?",
            zh="两条路：先重排再用f，或者先用f再重排。走到的地方相差多少？",
        ),
        Text(
            en="`f(x[order])` and `f(x)[order]`: the *same* order in both.",
            zh="`f(x[order])`和`f(x)[order]`：两边用*同一个*顺序。",
        ),
        Text(
            en="`.abs().max()` of the difference.",
            zh="对差取`.abs().max()`。",
        ),
    ),
)


def self_attention(x: Tensor) -> Tensor:
    q = x[None, None]
    return attention(q, q, q)[0, 0]


def cumulative_sum(x: Tensor) -> Tensor:
    return x.cumsum(0)


def falling_sum(x: Tensor) -> Tensor:
    return -(x**2).cumsum(0)


def times_place(x: Tensor) -> Tensor:
    return x * torch.arange(1.0, len(x) + 1)[:, None]


def one_channel(x: Tensor) -> Tensor:
    return cumulative_sum(x)[:, :1]


def negative(f: Function) -> Function:
    return lambda x: -f(x)


NEEDS = Text(en="f(x) takes a float tensor (L, d)", zh="f(x)的参数是浮点张量(L, d)")


def _arguments(x: Tensor) -> tuple[Tensor]:
    if not has_axes(x, 2, FLOATS) or not x.numel():
        raise TypeError
    return (x,)


def _callback(f: Function) -> Function:
    return Callback(f, NEEDS, _arguments)


@exercise.truth
def row_by_row_gap(f: Function, x: Tensor, order: Tensor) -> float:
    places = enumerate(order.tolist())
    before, after = f(x), f(torch.stack([x[i] for i in order.tolist()]))
    return max((after[i] - before[j]).abs().max().item() for i, j in places)


def _inputs(length: int, width: int, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return x and an order that is not its own inverse."""
    turn = torch.randperm(length, generator=rng)
    return torch.randn(length, width, generator=rng), turn.roll(1)[turn.argsort()]  # one cycle


@exercise.check(en="0 for attention without positions", zh="对没有位置的注意力，结果为0")
def attention_is_equivariant(answer: Function, rng: torch.Generator) -> None:
    expect_number(answer(_callback(self_attention), *_inputs(4, 6, rng)), 0.0, atol=1e-5)


@exercise.check(
    en="0 for a function that treats each row alone", zh="对逐行独立处理的函数，结果为0"
)
def row_by_row(answer: Function, rng: torch.Generator) -> None:
    expect_number(answer(_callback(torch.exp), *_inputs(4, 3, rng)), 0.0, atol=1e-5)


@exercise.check(
    en="right for functions that depend on the position",
    zh="对取决于位置的函数，结果正确",
    weight=6,
)
def depends_on_place(answer: Function, rng: torch.Generator) -> None:
    for f in (cumulative_sum, falling_sum, times_place, one_channel):
        for length, width in ((4, 1), (int(torch.randint(5, 9, (), generator=rng)), 5)):
            x, order = _inputs(length, width, rng)
            expect_agreement(answer, row_by_row_gap, _callback(f), x, order)
            # the largest difference of f is the smallest of -f
            expect_agreement(answer, row_by_row_gap, _callback(negative(f)), x, order)
    expect_agreement(answer, row_by_row_gap, _callback(times_place), *_inputs(120, 2, rng))


@exercise.misconception(
    en="You measured *invariance*, |f(Px) − f(x)|. For equivariance the output must be reordered "
    "too: |f(Px) − P f(x)|.",
    zh="你测的是*不变性*|f(Px) − f(x)|。等变要求输出也跟着重排：|f(Px) − P f(x)|。",
)
def invariance(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]) - f(x)).abs().max()


@exercise.misconception(
    en="You undid the order on the output (Pᵀf(x)) instead of applying it. The two differ for "
    "every order that is not its own inverse.",
    zh="你在输出上用了逆置换（Pᵀf(x)），而不是同一个置换。只要置换不是自身的逆，两者就不同。",
)
def inverse_order(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]) - f(x)[order.argsort()]).abs().max()


@exercise.misconception(
    en="Take absolute values *before* the maximum: otherwise large negative differences go unseen.",
    zh="要*先*取绝对值，再取最大：否则绝对值很大的负数会被漏掉。",
)
def signed(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]) - f(x)[order]).max()


@exercise.misconception(
    en="You tested whether the two agree, and returned True or False. The task asks how far apart "
    "they are: the largest entry of |f(Px) − P f(x)|.",
    zh="你判断的是两边是否相等，返回了True或False。题目要测的是两边相差多少："
    "|f(Px) − P f(x)|中最大的元素。",
)
def agreement(f: Function, x: Tensor, order: Tensor) -> bool:
    return torch.allclose(f(x[order]), f(x)[order], atol=1e-5)


@exercise.misconception(
    en="You took the mean instead of the largest entry.",
    zh="你取了平均。题目要的是最大的元素。",
)
def mean(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]) - f(x)[order]).abs().mean()


@exercise.misconception(
    en="You took the norm of the whole difference instead of its largest entry.",
    zh="你取的是整个差的范数。题目要的是其中最大的元素。",
)
def norm(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]) - f(x)[order]).norm()


@exercise.misconception(
    en="You added the differences up: the sum grows with the length and the width of x. The gap is "
    "the largest one.",
    zh="你把各处的差加了起来：和会随x的长度和宽度变大。等变误差是其中最大的一个。",
)
def total(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]) - f(x)[order]).abs().sum()


@exercise.misconception(
    en="You compared absolute values, ||f(Px)| − |P f(x)||: a change of sign goes unseen. Take "
    "the difference first, then its absolute value.",
    zh="你比较的是绝对值，||f(Px)| − |P f(x)||：正负号变了就看不出来。要先求差，再取绝对值。",
)
def sizes_only(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]).abs() - f(x)[order].abs()).abs().max()


@exercise.misconception(
    en="Your gap is 0 whatever f is: the same thing is on both sides of the difference. Compare "
    "f(Px) with P f(x).",
    zh="不管f是什么，你的结果都是0：差的两边是同一个东西。应当是f(Px)与P f(x)之差。",
)
def without_f(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (x[order] - x[order]).abs().max()


@exercise.misconception(
    en="You took the largest norm of a row. The gap is the largest single entry.",
    zh="你取的是各行范数中最大的。等变误差是最大的那一个元素。",
)
def norm_of_a_row(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]) - f(x)[order]).norm(dim=-1).max()


@exercise.misconception(
    en="The input was not reordered: |f(x) − P f(x)| asks whether the rows of f(x) are alike. "
    "Compare f(x[order]) with f(x)[order].",
    zh="输入没有重排：|f(x) − P f(x)|只看f(x)的各行是否相同。应比较f(x[order])与f(x)[order]。",
)
def output_alone(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x) - f(x)[order]).abs().max()


@exercise.misconception(
    en="You squared the differences: the largest square is not the largest |difference|.",
    zh="你把差平方了：最大的平方不是最大的|差|。",
)
def squared(f: Function, x: Tensor, order: Tensor) -> Tensor:
    return (f(x[order]) - f(x)[order]).square().max()
