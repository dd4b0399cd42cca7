"""Exercise position_counter: uniform causal attention over a flag counts the tokens."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="position_counter",
    chapter="01_permutation",
    title=Text(en="A counter made of attention", zh="用注意力做的计数器"),
    task=Text(
        en=r"""Every query divides its attention *equally* among itself and all earlier tokens.
Return what each token reads from a channel `flag`.

In: `flag` of shape `(L,)`, any floats; in its main use it is 1 at the start token (BOS)
and 0 elsewhere. Out: shape `(L,)`.""",
        zh=r"""每个查询把注意力*平均*分给自己和所有更早的词元。返回每个词元从通道`flag`里读到的值。

输入：`flag`形状为`(L,)`，可以是任意浮点数；主要用法是起始词元（BOS）处为1，其余为0。
输出：形状为`(L,)`。""",
    ),
    signature="position_counter(flag) -> (L,)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Query t sees t+1 tokens. What is each of its weights, if all are equal and sum "
            "to 1?",
            zh="查询t看得见t+1个词元。权重都相等，和为1，那么每个权重是多少？",
        ),
        Text(
            en="So each token reads the mean of `flag[0]`, …, `flag[t]`.",
            zh="所以每个词元读到的是`flag[0]`……`flag[t]`的平均。",
        ),
        Text(
            en="Either the matrix of weights times `flag`, or a running sum (`cumsum`) divided by "
            "1, 2, 3, ….",
            zh="可以用权重矩阵乘`flag`，也可以用累加和（`cumsum`）除以1、2、3……。",
        ),
    ),
)


@exercise.truth
def running_mean(flag: Tensor) -> Tensor:
    return torch.stack([flag[: t + 1].mean() for t in range(len(flag))])


@exercise.check(en="one number per token", zh="每个词元一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length in (3, 1):
        expect_shape(answer(torch.ones(length)), (length,))


@exercise.check(
    en="gives 1, 1/2, 1/3, … for a flag on token 0", zh="标记在词元0时得到1、1/2、1/3……", weight=2
)
def counts(answer: Function, rng: torch.Generator) -> None:
    flag = torch.zeros(int(torch.randint(6, 12, (), generator=rng)))
    flag[0] = 1
    expect_close(answer(flag), torch.tensor([1 / (t + 1) for t in range(len(flag))]))


@exercise.check(en="a constant channel is read unchanged", zh="常数通道读出来不变")
def constant(answer: Function, rng: torch.Generator) -> None:
    channel = torch.rand((), generator=rng).expand(6).clone()
    expect_close(answer(channel), channel)


@exercise.check(
    en="reads any channel: the flag elsewhere, random numbers",
    zh="任何通道都读得对：标记在别处，或是随机数",
    weight=3,
)
def any_channel(answer: Function, rng: torch.Generator) -> None:
    elsewhere = torch.eye(6)[torch.randint(1, 6, (), generator=rng)]
    for flag in (elsewhere, *(torch.randn(n, generator=rng) for n in (9, 1, 120))):
        expect_agreement(answer, running_mean, flag)


@exercise.misconception(
    en="This is the running *sum*. Attention weights sum to 1, so a head can average, not add up; "
    "a flag on token 0 would give 1, 1, 1, ….",
    zh="这是累加的*和*。注意力权重之和为1，所以一个头只会求平均，不会求和；"
    "标记在词元0时会得到1、1、1……。",
)
def running_sum(flag: Tensor) -> Tensor:
    return flag.cumsum(0)


@exercise.misconception(
    en="Every token averages over the whole sequence: there is no causal mask, and all read the "
    "same number.",
    zh="每个词元都对整个序列求平均：没有因果掩码，读到的全是同一个数。",
)
def no_mask(flag: Tensor) -> Tensor:
    return flag.mean().expand(len(flag))


@exercise.misconception(
    en="The future was cut off, but the weights were not normalised again: token t divides by L "
    "instead of t+1.",
    zh="未来是遮住了，但权重没有重新归一化：词元t除的是L，而不是t+1。",
)
def not_renormalised(flag: Tensor) -> Tensor:
    return flag.cumsum(0) / len(flag)


@exercise.misconception(
    en="You took the softmax of the 0/1 mask. exp(0) = 1, so the future still has weight; its "
    "scores must be −inf.",
    zh="你直接对0/1掩码做了softmax。exp(0) = 1，未来照样有权重；未来的得分应当是−inf。",
)
def softmax_of_mask(flag: Tensor) -> Tensor:
    return torch.ones(len(flag), len(flag)).tril().softmax(-1) @ flag


@exercise.misconception(
    en="1, 1/2, 1/3, … is written down, not read from `flag`: it stays the same when the "
    "flag moves.",
    zh="1、1/2、1/3……是直接写出来的，没有从`flag`里读：标记换了位置，结果也不变。",
)
def written_down(flag: Tensor) -> Tensor:
    return 1 / torch.arange(1.0, len(flag) + 1)


@exercise.misconception(
    en="Each token averages over itself and the *future*: the mask is upside down.",
    zh="每个词元是对自己和*未来*求平均：掩码上下颠倒了。",
)
def future(flag: Tensor) -> Tensor:
    return flag.flip(0).cumsum(0).flip(0) / torch.arange(float(len(flag)), 0.0, -1.0)


@exercise.misconception(
    en="You divided by t instead of t+1: token t also sees itself, and token 0 divides by zero.",
    zh="你除的是t，而不是t+1：词元t也看得见自己，而且词元0会除以零。",
)
def divides_by_t(flag: Tensor) -> Tensor:
    return flag.cumsum(0) / torch.arange(float(len(flag)))


@exercise.misconception(
    en="You averaged over the *earlier* tokens only. Token t also sees itself, and token 0 has "
    "nothing before it: NaN.",
    zh="你只对*更早的*词元求了平均。词元t也看得见自己；词元0之前没有词元，得到NaN。",
)
def without_itself(flag: Tensor) -> Tensor:
    return torch.stack([flag[:t].mean() for t in range(len(flag))])


@exercise.misconception(
    en="You read token 0 only. Each weight is 1/(t+1), but the other tokens count too: a flag may "
    "be anywhere.",
    zh="你只读了词元0。每个权重确实是1/(t+1)，但其他词元也要算进去：标记可能在任何地方。",
)
def token_zero_only(flag: Tensor) -> Tensor:
    return flag[0] / torch.arange(1.0, len(flag) + 1)


@exercise.misconception(
    en="You weighted each token's own flag by 1/(t+1), but did not add those of the earlier "
    "tokens.",
    zh="你只把每个词元自己的值乘了1/(t+1)，没有把更早的词元的值加进来。",
)
def own_flag_only(flag: Tensor) -> Tensor:
    return flag / torch.arange(1.0, len(flag) + 1)


@exercise.misconception(
    en="You divided by max(t, 1): that avoids the division by zero at token 0, but token t sees "
    "t+1 tokens, itself included.",
    zh="你除的是max(t, 1)：词元0处是不会除以零了，但词元t看得见t+1个词元，包括它自己。",
)
def divides_by_clamped_t(flag: Tensor) -> Tensor:
    return flag.cumsum(0) / torch.arange(len(flag)).clamp(min=1)


@exercise.misconception(
    en="You averaged over the *earlier* tokens only, and gave token 0 nothing. Token t also sees "
    "itself; token 0 reads its own flag.",
    zh="你只对*更早的*词元求了平均，词元0则为0。词元t也看得见自己；词元0读到的是它自己的值。",
)
def earlier_only(flag: Tensor) -> Tensor:
    return (flag.cumsum(0) - flag) / torch.arange(len(flag)).clamp(min=1)


@exercise.misconception(
    en="You used integer division, `//`: 1/2, 1/3, … all become 0. An average is a fraction: `/`.",
    zh="你用了整除`//`：1/2、1/3……都成了0。平均值是小数，应当用`/`。",
)
def rounded_down(flag: Tensor) -> Tensor:
    return flag.cumsum(0) // torch.arange(1, len(flag) + 1)


@exercise.misconception(
    en="You turned the reading 1/(t+1) into the position t. Return what the head reads; how to use "
    "it is up to the next layer.",
    zh="你把读到的1/(t+1)换算成了位置t。这里只返回注意力头读到的值，怎么用它是下一层的事。",
)
def positions_from_the_reading(flag: Tensor) -> Tensor:
    return 1 / running_mean(flag) - 1


@exercise.misconception(
    en="The sums of the rows met the *columns*: in `m / m.sum(1)`, (L, L) by (L,), column s is "
    "divided by the sum of row s. `m.sum(1, keepdim=True)` divides each row by its own sum.",
    zh="各行的和对到了*列*上：`m / m.sum(1)`是(L, L)除以(L,)，第s列除的是第s行的和。"
    "写`m.sum(1, keepdim=True)`，每一行才除以自己的和。",
)
def row_sums_on_columns(flag: Tensor) -> Tensor:
    visible = torch.ones(len(flag), len(flag)).tril()
    return (visible / visible.sum(1)) @ flag


@exercise.misconception(
    en="You normalised the columns. Row t says how token t divides its attention, so it is the "
    "*rows* that sum to 1: `m / m.sum(1, keepdim=True)`.",
    zh="你归一化的是列。第t行表示词元t怎样分配注意力，所以和为1的是*行*："
    "`m / m.sum(1, keepdim=True)`。",
)
def columns_sum_to_one(flag: Tensor) -> Tensor:
    visible = torch.ones(len(flag), len(flag)).tril()
    return (visible / visible.sum(0)) @ flag
