"""Exercise mend_scaled_bias: the penalty was divided by √D."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_scaled_bias",
    chapter="07_linear_bias",
    title=Text(en="Fix: a penalty too mild", zh="改错：扣得太轻"),
    task=Text(
        en=r"""Fix `scaled_together`: return the causal attention weights
$\mathrm{softmax}(qk^\top/\sqrt D+m\,(j-i))$ of one head.

In: `q`, `k` of shape `(L, D)`, `slope` a number. Out: shape `(L, L)`, rows sum to 1, keys ahead of
the query have weight 0.""",
        zh=r"""修好`scaled_together`：返回一个头的因果注意力权重
$\mathrm{softmax}(qk^\top/\sqrt D+m\,(j-i))$。

输入：`q`、`k`形状为`(L, D)`，`slope`是一个数。输出：形状为`(L, L)`，每行和为1，
位于查询之后的键权重为0。""",
    ),
    signature="mend_scaled_bias(q, k, slope) -> (L, L)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Follow the brackets: what exactly is divided by √D?",
            zh="看清括号：究竟是什么被除以√D？",
        ),
        Text(
            en="Scale first, then add the bias, then mask.",
            zh="先缩放，再加偏置，最后加掩码。",
        ),
        Text(
            en="`q @ k.T / D ** 0.5 + slope * (key - query)`; keys with key > query become −inf.",
            zh="`q @ k.T / D ** 0.5 + slope * (key - query)`；键在查询之后的地方设为−inf。",
        ),
    ),
)


@exercise.truth
def row_by_row(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """Return the weights, one query at a time: scores are scaled, the bias is not."""
    weights = torch.zeros(len(q), len(q))
    for i in range(len(q)):
        distance = torch.arange(i, -1, -1)  # of keys 0 … i
        weights[i, : i + 1] = (k[: i + 1] @ q[i] / q.shape[1] ** 0.5 - slope * distance).softmax(0)
    return weights


def _weights(scores: Tensor, mask: bool = True) -> Tensor:
    ahead = torch.ones_like(scores).triu(1).bool()
    return (scores.masked_fill(ahead, -torch.inf) if mask else scores).softmax(-1)


def _relative(length: int) -> Tensor:
    p = torch.arange(length)
    return p[None, :] - p[:, None]


@exercise.check(en="returns one weight for each pair", zh="每一对一个权重")
def shape(answer: Function, rng: torch.Generator) -> None:
    q, k = torch.randn(2, 5, 8, generator=rng)
    expect_shape(answer(q, k, 0.5), (5, 5))


@exercise.check(
    en="with equal scores, one token further back costs a factor e^(−m)",
    zh="得分相同时，键每早一个词元，权重乘以e^(−m)",
    weight=2,
)
def factor(answer: Function, rng: torch.Generator) -> None:
    slope = 0.2 + torch.rand((), generator=rng).item()
    weights = expect_shape(answer(torch.zeros(6, 64), torch.zeros(6, 64), slope), (6, 6))
    last = weights[-1].detach().double()
    expect_close(last[:-1] / last[1:], torch.full((5,), math.exp(-slope), dtype=torch.float64))


@exercise.check(en="equals the formula, causal", zh="与公式一致，而且是因果的", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    length, more = torch.randint(3, 10, (2,), generator=rng).tolist()
    dim = length + more
    for sizes in ((length, dim), (256 + length, 64), (length, 1), (1, dim)):
        slope = 0.2 + torch.rand((), generator=rng).item()
        q, k = torch.randn(2, *sizes[::-1], generator=rng).mT * 2  # not contiguous
        got = expect_shape(answer(q, k, slope), (len(q), len(q)))
        seen = got.detach().real
        expect(not bool((seen.triu(1) > 0).any()), "a token sees the future", "有词元看到了未来")
        expect(
            not bool(((seen.sum(-1) - 1).abs() > 1e-3).any()),
            "a row does not sum to 1: softmax comes last, after the mask, over the keys",
            "有一行的和不是1：先加掩码，最后对键做softmax",
        )
        expect_close(got, exercise.true_answer(q, k, slope))


@exercise.misconception(
    en="Still the broken version: the bias is divided by √D too. At D = 64 a head sees 8 times as "
    "far as its slope says.",
    zh="还是有错的那个版本：偏置也被除以了√D。D = 64时，一个头看到的距离是斜率所说的8倍。",
)
def unchanged(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _weights((q @ k.T + slope * _relative(len(q))) / q.shape[-1] ** 0.5)


@exercise.misconception(
    en="Now nothing is divided by √D: the scores of content are √D times as large as they should "
    "be.",
    zh="现在什么都没有除以√D：内容的得分成了应有的√D倍。",
)
def unscaled(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _weights(q @ k.T + slope * _relative(len(q)))


@exercise.misconception(
    en="The sign of the bias is reversed: far keys are preferred.",
    zh="偏置的符号反了：偏爱起远处的键来。",
)
def other_sign(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _weights(q @ k.T / q.shape[-1] ** 0.5 - slope * _relative(len(q)))


@exercise.misconception(
    en="The causal mask is gone: with this form of the bias, keys ahead even get a bonus.",
    zh="因果掩码丢了：用这种形式的偏置，未来的键还会得到加分。",
)
def no_mask(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _weights(q @ k.T / q.shape[-1] ** 0.5 + slope * _relative(len(q)), mask=False)


@exercise.misconception(
    en="The brackets are gone, but the division still stands behind the bias: now the bias is "
    "divided by √D, and the scores of content are not.",
    zh="括号是去掉了，除法却还跟在偏置后面：现在偏置除以了√D，内容的得分反而没有除。",
)
def only_the_bias(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _weights(q @ k.T + slope * _relative(len(q)) / q.shape[-1] ** 0.5)


@exercise.misconception(
    en="The scores of content are right, but the bias is multiplied by √D. That would make up for "
    "a division of both; where the bias is not divided, add it as it is.",
    zh="内容的得分对了，偏置却乘了√D。两者一起除的时候，这样才能补回来；偏置没有除，就原样加上。",
)
def bias_multiplied(q: Tensor, k: Tensor, slope: float) -> Tensor:
    root = q.shape[-1] ** 0.5
    return _weights(q @ k.T / root + root * slope * _relative(len(q)))


@exercise.misconception(
    en="The bias was added to the weights, after the softmax. If it is added to the scores, "
    "before the softmax, each token of distance becomes a factor, and the rows still sum to 1.",
    zh="偏置加到了softmax之后的权重上。加在softmax之前的得分上，距离才会变成因子，"
    "每行的和也才是1。",
)
def after_the_softmax(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _weights(q @ k.T / q.shape[-1] ** 0.5) + slope * _relative(len(q))


@exercise.misconception(
    en="The mask came after the softmax: the keys ahead had their share of each row before they "
    "were set to 0, so all rows but the last sum to less than 1.",
    zh="掩码加在了softmax之后：未来的键先分走了每行的一份权重，再被置0，于是除最后一行外，"
    "每行的和都不到1。",
)
def mask_after_the_softmax(q: Tensor, k: Tensor, slope: float) -> Tensor:
    scores = q @ k.T / q.shape[-1] ** 0.5 + slope * _relative(len(q))
    return _weights(scores, mask=False).tril()


@exercise.misconception(
    en="The bias is right now, but the scores of content are divided by D, not by √D: beside the "
    "distance, content counts only 1/√D of what it should.",
    zh="偏置对了，但内容的得分除以了D，而不是√D：和距离相比，内容的分量只剩应有的1/√D。",
)
def divided_by_dim(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _weights(q @ k.T / q.shape[-1] + slope * _relative(len(q)))


@exercise.misconception(
    en="Keys ahead of the query got the score 0 instead of −∞: the softmax still gives them "
    "weight.",
    zh="查询之后的键，得分填成了0，而不是−∞：softmax仍会给它们权重。",
)
def masked_with_zero(q: Tensor, k: Tensor, slope: float) -> Tensor:
    scores = q @ k.T / q.shape[-1] ** 0.5 + slope * _relative(len(q))
    return scores.tril().softmax(-1)


@exercise.misconception(
    en="The softmax runs over the queries, axis 0: each key shares its weight among the queries. "
    "Every query should share 1 among the keys, axis −1.",
    zh="softmax沿着查询（第0轴）做了：成了每个键把权重分给各个查询。应是每个查询把1分给各个键，"
    "沿第−1轴。",
)
def over_queries(q: Tensor, k: Tensor, slope: float) -> Tensor:
    scores = q @ k.T / q.shape[-1] ** 0.5 + slope * _relative(len(q))
    return scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf).softmax(0)


@exercise.misconception(
    en="The mask was multiplied by −∞ and added: where nothing is to be masked that is 0 · ∞, NaN. "
    "Use `masked_fill` or `torch.where`.",
    zh="你把掩码乘以−∞再加上去：不该遮的地方成了0·∞，也就是NaN。请用`masked_fill`或`torch.where`。",
)
def zero_times_infinity(q: Tensor, k: Tensor, slope: float) -> Tensor:
    scores = q @ k.T / q.shape[-1] ** 0.5 + slope * _relative(len(q))
    return (scores + torch.ones_like(scores).triu(1) * -torch.inf).softmax(-1)


@exercise.misconception(
    en="The scores of content are divided by √L, the number of tokens. Divide by √D, where D is "
    "the size of a head: a longer text must not flatten the weights.",
    zh="内容的得分除以了√L，即词元数的平方根。应除以√D，D是头的维度：文本变长不该让权重变平。",
)
def divided_by_length(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _weights(q @ k.T / len(q) ** 0.5 + slope * _relative(len(q)))


@exercise.misconception(
    en="The mask is the wrong way round: the past is hidden and the future seen.",
    zh="掩码反了：遮住了过去，露出了未来。",
)
def mask_reversed(q: Tensor, k: Tensor, slope: float) -> Tensor:
    scores = q @ k.T / q.shape[-1] ** 0.5 + slope * _relative(len(q))
    return scores.masked_fill(_relative(len(q)) < 0, -torch.inf).softmax(-1)


@exercise.misconception(
    en="Each token is hidden from itself too, `>=` for `>`: the first query then sees no key at "
    "all, and its row is NaN.",
    zh="每个词元连自己也看不到，`>`写成了`>=`：第一个查询一个键都看不到，那一行就成了NaN。",
)
def hidden_from_itself(q: Tensor, k: Tensor, slope: float) -> Tensor:
    relative = _relative(len(q))
    scores = q @ k.T / q.shape[-1] ** 0.5 + slope * relative
    return scores.masked_fill(relative >= 0, -torch.inf).softmax(-1)
