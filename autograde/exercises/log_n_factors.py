"""Exercise log_n_factors: log-n scaling, a factor for each query."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_effect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.attention_scale import log_n_scale

exercise = Exercise(
    id="log_n_factors",
    chapter="06_rope_scaling",
    title=Text(en="log-n scaling, query by query", zh="log-n缩放：每个查询一个因子"),
    task=Text(
        en=r"""Return the factor by which log-n scaling multiplies the scores of each query. The
query at position $p$, counted from 0, sees $n=p+1$ keys, itself included. Up to the trained
length $L$ nothing may change; beyond it the factor is $\ln n/\ln L$.

In: `positions` of shape `(N,)`, integers from 0 on; `trained_length` is $L>1$. Out: shape `(N,)`,
floats.""",
        zh=r"""返回log-n缩放让每个查询的得分乘上的因子。位置$p$的查询看得到$n=p+1$个键
（位置从0数起，也看得到自己）；在训练长度$L$以内，什么都不能变，超过之后因子是$\ln n/\ln L$。

输入：`positions`形状为`(N,)`，是从0起的整数；`trained_length`就是$L>1$。
输出：形状为`(N,)`的浮点数。""",
    ),
    signature="log_n_factors(positions, trained_length) -> (N,)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="How many keys does the query at position 0 see? And the one at L − 1?",
            zh="位置0的查询看得到几个键？位置L − 1的呢？",
        ),
        Text(
            en="For n < L the quotient is below 1 and would flatten attention. What keeps it at 1?",
            zh="n < L时商小于1，反而会让注意力变平。怎样让它保持为1？",
        ),
        Text(
            en="`(positions + 1).log() / math.log(trained_length)`, then `.clamp(min=1)`.",
            zh="`(positions + 1).log() / math.log(trained_length)`，再`.clamp(min=1)`。",
        ),
    ),
)


@exercise.truth
def quotient(positions: Tensor, trained_length: int) -> Tensor:
    return log_n_scale(positions, trained_length)


def _keys(positions: Tensor) -> Tensor:
    return positions.double() + 1


@exercise.check(en="one factor for each query", zh="每个查询一个因子")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.arange(7), 4), (7,))
    expect_shape(answer(torch.tensor([9]), 100), (1,))


@exercise.check(
    en="1 up to the trained length, and only there", zh="训练长度以内为1，超过之后不是1", weight=2
)
def unchanged(answer: Function, rng: torch.Generator) -> None:
    trained = int(torch.randint(5, 60, (), generator=rng))
    expect_close(answer(torch.arange(trained), trained), torch.ones(trained))
    expect_effect(answer(torch.arange(3 * trained), trained), (3 * trained,))


@exercise.check(en="ln n / ln L beyond", zh="超过之后为ln n / ln L", weight=4)
def beyond(answer: Function, rng: torch.Generator) -> None:
    trained = int(torch.randint(5, 60, (), generator=rng))
    for positions in (
        torch.arange(3 * trained),
        torch.randint(0, 100_000, (9,), generator=rng),
        torch.tensor([trained**2 - 1]),  # factor 2
    ):
        expect_agreement(answer, exercise.true_answer, positions, trained)


@exercise.misconception(
    en="Below the trained length your factor is less than 1: it flattens attention where the model "
    "was trained. Take at least 1.",
    zh="在训练长度以内，你的因子小于1：模型训练过的地方，注意力反而变平了。至少要取1。",
)
def below_one(positions: Tensor, trained_length: int) -> Tensor:
    return _keys(positions).log() / math.log(trained_length)


@exercise.misconception(
    en="You counted the rows, 0, 1, 2, …, instead of reading `positions`. While decoding one row "
    "comes in, and its query may be at position 5000.",
    zh="你数的是行号0、1、2……，没有用`positions`。解码时只来一行，它的查询可能位于第5000个位置。",
)
def counts_rows(positions: Tensor, trained_length: int) -> Tensor:
    return quotient(torch.arange(len(positions)), trained_length)


@exercise.misconception(
    en="You took ln p: the query at position p sees p + 1 keys, itself too.",
    zh="你取的是ln p：位置p的查询看得到p + 1个键，也包括自己。",
)
def position_itself(positions: Tensor, trained_length: int) -> Tensor:
    return (positions.double().log() / math.log(trained_length)).clamp(min=1)


@exercise.misconception(
    en="The quotient is upside down: ln L / ln n falls as the text grows, and flattens attention "
    "further.",
    zh="商倒过来了：ln L / ln n随文本变长而下降，注意力会更平。",
)
def inverted(positions: Tensor, trained_length: int) -> Tensor:
    return 1 / below_one(positions, trained_length).clamp(min=1)


@exercise.misconception(
    en="Every query got one factor, that of the whole text. An early query sees few keys and keeps "
    "1.",
    zh="每个查询用的都是同一个因子，即整段文本的。靠前的查询看得到的键少，应当保持1。",
)
def of_the_last(positions: Tensor, trained_length: int) -> Tensor:
    return quotient(positions, trained_length).max().expand(positions.shape)


@exercise.misconception(
    en="This is the root of the factor, as LongRoPE puts it on q *and* on k. On the scores it is "
    "ln n / ln L itself.",
    zh="这是因子的平方根，LongRoPE让q*和*k各乘它。得分要乘的就是ln n / ln L。",
)
def rooted(positions: Tensor, trained_length: int) -> Tensor:
    return quotient(positions, trained_length).sqrt()


@exercise.misconception(
    en="This is ln(n/L) + 1, a difference of logarithms. Log-n scaling divides them: 1 + "
    "ln(n/L)/ln L.",
    zh="这是ln(n/L) + 1，两个对数之差。log-n缩放是相除：1 + ln(n/L)/ln L。",
)
def not_divided(positions: Tensor, trained_length: int) -> Tensor:
    return (1 + (_keys(positions) / trained_length).log()).clamp(min=1)


@exercise.misconception(
    en="The logarithms are missing: n/L grows like the text itself.",
    zh="漏了对数：n/L会和文本长度一样快地增长。",
)
def linear(positions: Tensor, trained_length: int) -> Tensor:
    return (_keys(positions) / trained_length).clamp(min=1)


@exercise.misconception(
    en="This is YaRN's rule, (0.1 ln s + 1)² with s = n/L. Log-n scaling takes ln n / ln L.",
    zh="这是YaRN的规则，(0.1 ln s + 1)²，s = n/L。log-n缩放是ln n / ln L。",
)
def of_yarn(positions: Tensor, trained_length: int) -> Tensor:
    return (0.1 * (_keys(positions) / trained_length).clamp(min=1).log() + 1) ** 2


@exercise.misconception(
    en="The factor is capped at 1 in place of starting there: `clamp(max=1)`. It must be at least "
    "1.",
    zh="因子被限制为最大是1，用的是`clamp(max=1)`。应当至少是1。",
)
def capped(positions: Tensor, trained_length: int) -> Tensor:
    return below_one(positions, trained_length).clamp(max=1)


@exercise.misconception(
    en="You count one key too many, n = p + 2: the query at position p sees p + 1 keys.",
    zh="多数了一个键，n = p + 2：位置p的查询看得到p + 1个键。",
)
def one_key_more(positions: Tensor, trained_length: int) -> Tensor:
    return ((_keys(positions) + 1).log() / math.log(trained_length)).clamp(min=1)


@exercise.misconception(
    en="This is ln(n/L), a difference of logarithms. Log-n scaling divides them: ln n / ln L.",
    zh="这是ln(n/L)，两个对数之差。log-n缩放是相除：ln n / ln L。",
)
def log_of_the_quotient(positions: Tensor, trained_length: int) -> Tensor:
    return (_keys(positions) / trained_length).log().clamp(min=1)


@exercise.misconception(
    en="This is YaRN's 0.1 ln s + 1 with s = n/L. Log-n scaling takes ln n / ln L.",
    zh="这是YaRN的0.1 ln s + 1，s = n/L。log-n缩放是ln n / ln L。",
)
def of_yarn_once(positions: Tensor, trained_length: int) -> Tensor:
    return of_yarn(positions, trained_length).sqrt()


@exercise.misconception(
    en="The factor begins one token late: you compare p with L, but the query at p = L sees L + 1 "
    "keys.",
    zh="因子晚了一个词元才开始：你拿p和L比，而p = L处的查询看得到L + 1个键。",
)
def one_token_late(positions: Tensor, trained_length: int) -> Tensor:
    return quotient(positions, trained_length).where(positions > trained_length, 1.0)
