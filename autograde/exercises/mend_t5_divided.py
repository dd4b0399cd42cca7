"""Exercise mend_t5_divided: T5 does not divide by √D."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_t5_divided",
    chapter="04_relative",
    title=Text(en="Fix: T5 attends too evenly", zh="改错：T5的注意力太平均"),
    task=Text(
        en=r"""Fix `biased_attention`: return T5's attention weights
$\mathrm{softmax}_j(q_i\cdot k_j+b_{ij})$ for each head.

In: `q` of shape `(H, Lq, D)`, `k` of shape `(H, Lk, D)`, `bias` of shape `(H, Lq, Lk)`. Out: shape
`(H, Lq, Lk)`, rows sum to 1.""",
        zh=r"""修好`biased_attention`：返回T5每个头的注意力权重
$\mathrm{softmax}_j(q_i\cdot k_j+b_{ij})$。

输入：`q`形状为`(H, Lq, D)`，`k`形状为`(H, Lk, D)`，`bias`形状为`(H, Lq, Lk)`。
输出：形状为`(H, Lq, Lk)`，每行和为1。""",
    ),
    signature="mend_t5_divided(q, k, bias) -> (H, Lq, Lk)",
    points=2,
    difficulty=1,
    minutes=3,
    hints=(
        Text(
            en="Compare the code with the formula in the task, symbol by symbol.",
            zh="把代码和题目里的公式逐个符号对一遍。",
        ),
        Text(
            en="There is no √D in the formula: T5 put it into the initial size of W_Q.",
            zh="公式里没有√D：T5把它放进了W_Q的初始大小里。",
        ),
        Text(
            en="Without the division nothing else changes: scores first, then the bias, then the "
            "softmax over the keys.",
            zh="去掉除法，其余不变：先算得分，再加偏置，最后对键做softmax。",
        ),
    ),
)


@exercise.truth
def weights(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return torch.einsum("hid,hjd->hij", q, k).add(bias).softmax(-1)


def _inputs(
    rng: torch.Generator, queries: int, keys: int, dim: int, heads: int = 2
) -> tuple[Tensor, ...]:
    shapes = ((queries, heads, dim), (keys, heads, dim), (queries, heads, keys))
    return tuple(torch.randn(shape, generator=rng).transpose(0, 1) for shape in shapes)


@exercise.check(en="weights for each head", zh="每个头都有权重")
def shape(answer: Function, rng: torch.Generator) -> None:
    for queries, keys, dim, heads in ((3, 4, 8, 2), (1, 4, 2, 3), (3, 1, 6, 2), (2, 5, 4, 1)):
        got = answer(*_inputs(rng, queries, keys, dim, heads))
        expect_shape(got, (heads, queries, keys))


@exercise.check(en="with q = 0 the bias alone decides", zh="q = 0时只由偏置决定")
def bias_alone(answer: Function, rng: torch.Generator) -> None:
    q, k, bias = _inputs(rng, 3, 5, 16)
    expect_close(answer(0 * q, k, bias), bias.softmax(-1))


@exercise.check(en="equals the formula", zh="与公式一致", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    queries, keys, dim, heads = torch.randint(2, 9, (4,), generator=rng).tolist()
    keys += keys == dim
    for sizes in ((queries, keys, dim, heads), (1, 6, 4, 3), (6, 4, 64), (3, 120, 10, 1)):
        expect_agreement(answer, exercise.true_answer, *_inputs(rng, *sizes))


@exercise.misconception(
    en="Still the broken version: the words' part is divided by √D. With T5's weights every head "
    "attends far too evenly.",
    zh="还是有错的那个版本：内容部分除以了√D。装的是T5的checkpoint，每个头的注意力就会过于平均。",
)
def unchanged(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return (q @ k.mT / q.shape[2] ** 0.5 + bias).softmax(-1)


@exercise.misconception(
    en="The words' part is divided by the root of the number of keys. T5 divides by nothing.",
    zh="内容部分除以了键的个数的平方根。T5什么都不除。",
)
def by_keys(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return (q @ k.mT / k.shape[1] ** 0.5 + bias).softmax(-1)


@exercise.misconception(
    en="The words' part is divided by D now, which is even more than √D. T5 does not divide at "
    "all.",
    zh="内容部分现在除以了D，比√D还大。T5根本不除。",
)
def divided_by_dim(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return weights(q / q.shape[2], k, bias)


@exercise.misconception(
    en="Now the bias is divided by √D as well. Divide neither.",
    zh="现在连偏置也除以了√D。两者都不该除。",
)
def both_divided(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return ((q @ k.mT + bias) / q.shape[2] ** 0.5).softmax(-1)


@exercise.misconception(
    en="The words' part is right, but now the bias is divided by √D. Divide neither.",
    zh="内容部分对了，现在却是偏置除以了√D。两者都不该除。",
)
def only_the_bias_divided(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return weights(q, k, bias / q.shape[2] ** 0.5)


@exercise.misconception(
    en="The bias is gone, and with it all that T5 knows of positions.",
    zh="偏置丢了，T5对位置的了解也就全没了。",
)
def no_bias(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return (q @ k.mT).softmax(-1)


@exercise.misconception(
    en="The softmax runs over the queries. Each query must share out its own weight, over the "
    "keys.",
    zh="softmax沿着查询的轴做了。应当是每个查询把自己的权重分给各个键。",
)
def over_queries(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return (q @ k.mT + bias).softmax(1)


@exercise.misconception(
    en="The bias is subtracted: near words that training favoured are now avoided. T5 adds it.",
    zh="偏置成了相减：训练时偏爱的近处的词，现在反而被避开。T5是加上去。",
)
def bias_subtracted(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return weights(q, k, -bias)


@exercise.misconception(
    en="A causal mask came in. The formula has none: T5's encoder sees both directions, and this "
    "function is for it too.",
    zh="多加了因果掩码。公式里没有：T5的编码器两个方向都看，这个函数它也要用。",
)
def masked(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return weights(q, k, bias + torch.full_like(bias[0], -torch.inf).triu(1))


@exercise.misconception(
    en="The bias is added to the weights. It belongs to the scores, before the softmax.",
    zh="偏置加到了权重上。它应当加到得分上，在softmax之前。",
)
def bias_last(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return (q @ k.mT).softmax(-1) + bias


@exercise.misconception(
    en="The softmax runs over the heads, axis 0: the heads share out one weight among "
    "themselves. Each head needs a softmax of its own, over the keys.",
    zh="softmax沿着头（第0轴）做了：几个头在瓜分同一份权重。每个头应当沿着键单独做softmax。",
)
def over_heads(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return (q @ k.mT + bias).softmax(0)


@exercise.misconception(
    en="The bias is multiplied by the scores. T5 adds it: then it works whatever the words are.",
    zh="偏置和得分相乘了。T5是相加：这样不管是什么词，偏置都起作用。",
)
def bias_multiplied(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return (q @ k.mT * bias).softmax(-1)


@exercise.misconception(
    en="The bias is added to the weights, and the rows are divided by their sums. A softmax takes "
    "it as an exponent, so it belongs to the scores, before the softmax.",
    zh="偏置加到了权重上，再让每行除以它的和。偏置要作为指数进入softmax，所以应在softmax之前加到得分上。",
)
def bias_last_and_divided(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    mixed = bias_last(q, k, bias)
    return mixed / mixed.sum(-1, keepdim=True)
