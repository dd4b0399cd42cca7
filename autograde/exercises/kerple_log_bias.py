"""Exercise kerple_log_bias: a penalty that grows with the logarithm of the distance."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_effect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="kerple_log_bias",
    chapter="07_linear_bias",
    title=Text(en="KERPLE's logarithm", zh="KERPLE的对数"),
    task=Text(
        en=r"""Return KERPLE's logarithmic bias $-r_1\ln(1+r_2\,|i-j|)$ for every head, query and
key. Each head has its own $r_1,r_2>0$.

In: `length`; `r1`, `r2` of shape `(H,)`. Out: shape `(H, length, length)`.""",
        zh=r"""返回KERPLE的对数偏置$-r_1\ln(1+r_2\,|i-j|)$，对每个头、每个查询和键。
每个头有自己的$r_1,r_2>0$。

输入：`length`；`r1`、`r2`形状为`(H,)`。输出：形状为`(H, length, length)`。""",
    ),
    signature="kerple_log_bias(length, r1, r2) -> (H, length, length)",
    points=2,
    difficulty=2,
    minutes=7,
    hints=(
        Text(
            en="What is the bias at distance 0, and is it the same before the query and after it?",
            zh="距离0处偏置是多少？查询之前和之后一样吗？",
        ),
        Text(
            en="The distance is the absolute value of key − query, (length, length). Which shape "
            "must r1 and r2 have to broadcast against it?",
            zh="距离是“键减查询”的绝对值，(length, length)。r1和r2要变成什么形状，才能与它广播？",
        ),
        Text(
            en="`-r1[:, None, None] * torch.log1p(r2[:, None, None] * distance)`; `log1p(x)` is "
            "ln(1 + x).",
            zh="`-r1[:, None, None] * torch.log1p(r2[:, None, None] * distance)`；"
            "`log1p(x)`就是ln(1 + x)。",
        ),
    ),
)


@exercise.truth
def log_kernel(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    """Return −r1 ln(1 + r2 |i − j|)."""
    first, second = _ready(r1, r2)
    return -first * torch.log1p(second * _distance(length))


def _distance(length: int) -> Tensor:
    p = torch.arange(length)
    return (p[None, :] - p[:, None]).abs()


def _ready(r1: Tensor, r2: Tensor) -> tuple[Tensor, Tensor]:
    return r1[:, None, None], r2[:, None, None]


@exercise.check(en="one table for each head", zh="每个头一张表")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(5, torch.ones(3), torch.ones(3)), (3, 5, 5))
    expect_shape(answer(1, torch.ones(1), torch.ones(1)), (1, 1, 1))


@exercise.check(
    en="0 at distance 0, the same before and after", zh="距离0处为0，前后对称", weight=2
)
def kernel(answer: Function, rng: torch.Generator) -> None:
    r1, r2 = torch.rand(2, 3, generator=rng) + 0.5
    table = expect_effect(answer(6, r1, r2), (3, 6, 6))
    expect(
        bool((table.diagonal(dim1=1, dim2=2).abs() < 1e-6).all()),
        "the diagonal is not 0: ln(1 + 0) = 0",
        "对角线不是0：ln(1 + 0) = 0",
    )
    expect(
        bool((table - table.mT).abs().max() < 1e-5),
        "the bias of i and j is not that of j and i: it takes the distance without a sign",
        "i、j与j、i的偏置不一样：公式里用的是不带符号的距离",
    )


@exercise.check(en="equals the formula", zh="与公式一致", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    heads, length = torch.randint(3, 10, (2,), generator=rng).tolist()
    for sizes in ((heads, length), (1, 210 + length), (heads, 1)):
        r1, r2 = torch.rand(2, sizes[0], generator=rng) * 3 + 0.1
        expect_agreement(answer, exercise.true_answer, sizes[1], r1, r2)
    one, halved = torch.ones(1), -math.log(2)
    expect_close(answer(2, one, one), torch.tensor([[[0.0, halved], [halved, 0.0]]]))


@exercise.misconception(
    en="The minus is missing: far keys would get a bonus.",
    zh="少了负号：远处的键反而得到加分。",
)
def no_minus(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return r1 * torch.log1p(r2 * _distance(length))


@exercise.misconception(
    en="The distance has kept its sign: for a key before the query you take the logarithm of 1 + "
    "r2 · (a negative number), which may be NaN. Take the absolute value.",
    zh="距离带着符号：键在查询之前时，你取的是1加上r2乘以一个负数的对数，可能得到NaN。要取绝对值。",
)
def signed(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    p = torch.arange(length)
    return -r1 * torch.log1p(r2 * (p[None, :] - p[:, None]))


@exercise.misconception(
    en="This is a logarithm to base 10: ln is the natural one, `torch.log` or `torch.log1p`.",
    zh="你取的是以10为底的对数；ln是自然对数，即`torch.log`或`torch.log1p`。",
)
def base_ten(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -r1 * (1 + r2 * _distance(length)).log10()


@exercise.misconception(
    en="r1 and r2 are exchanged: r2 stands inside the logarithm, next to the distance.",
    zh="r1和r2放反了：r2在对数里面，和距离相乘。",
)
def exchanged(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -r2 * torch.log1p(r1 * _distance(length))


@exercise.misconception(
    en="This is the power kernel, −r1 |i − j|^r2. The logarithmic one grows much more slowly.",
    zh="这是幂核−r1 |i−j|^r2。对数核增长慢得多。",
)
def power(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -r1 * _distance(length) ** r2


@exercise.misconception(
    en="r2 multiplies the whole bracket, ln(r2 (1 + |i − j|)): at distance 0 that is ln r2, not 0.",
    zh="r2乘到了整个括号上，成了ln(r2 (1 + |i−j|))：距离0处得到ln r2，而不是0。",
)
def outside(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -r1 * (r2 * (1 + _distance(length))).log()


@exercise.misconception(
    en="You exponentiated: e^bias is the factor that softmax makes of it. The bias is the "
    "logarithm itself.",
    zh="你多取了一次指数：e的偏置次方是softmax之后的因子，偏置本身就是这个对数。",
)
def exponentiated(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return (1 + r2 * _distance(length)) ** -r1


@exercise.misconception(
    en="The 1 is added twice: `log1p(x)` is ln(1 + x) already, and you hand it 1 + r2 · |i − j|.",
    zh="1加了两次：`log1p(x)`本来就是ln(1 + x)，你又把1 + r2 · |i−j|交给了它。",
)
def one_twice(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -r1 * torch.log1p(1 + r2 * _distance(length))


@exercise.misconception(
    en="r2 stands outside of the logarithm, −r1 r2 ln(1 + |i − j|): the two numbers then act as "
    "one, and the head cannot learn where its decay sets in.",
    zh="r2放到了对数外面，成了−r1 r2 ln(1 + |i−j|)：两个数合成了一个，"
    "这个头就学不到从多远开始衰减。",
)
def r2_outside(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -r1 * r2 * torch.log1p(_distance(length))


@exercise.misconception(
    en="r2 is not used: every head begins to decay at the same distance. It multiplies the "
    "distance inside of the logarithm.",
    zh="没有用到r2：所有头都从同样的距离开始衰减。它在对数里面，与距离相乘。",
)
def without_r2(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, _ = _ready(r1, r2)
    return -r1 * torch.log1p(_distance(length))


@exercise.misconception(
    en="The 1 is missing: the logarithm of r2 · 0 at distance 0 is −∞. ln(1 + …) makes it 0.",
    zh="少了1：距离0处取的是0的对数，而它是负无穷。ln(1 + …)在那里才是0。",
)
def without_one(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -r1 * (r2 * _distance(length)).log()


@exercise.misconception(
    en="r1 is not used: all heads forget with the same power. It multiplies the logarithm.",
    zh="没有用到r1：所有头都按同一个幂次遗忘。它要乘在对数外面。",
)
def without_r1(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    _, r2 = _ready(r1, r2)
    return -torch.log1p(r2 * _distance(length))


@exercise.misconception(
    en="r1 stands inside of the logarithm, next to r2: the two numbers then act as one. It "
    "multiplies the logarithm.",
    zh="r1放到了对数里面，和r2挨在一起：两个数合成了一个。它要乘在对数外面。",
)
def r1_inside(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -torch.log1p(r1 * r2 * _distance(length))


@exercise.misconception(
    en="r2 became an exponent, ln(1 + |i − j|^r2). That is the other kernel's place for it; here "
    "it multiplies the distance.",
    zh="r2成了指数：ln(1 + |i−j|^r2)。那是它在幂核里的位置；这里它与距离相乘。",
)
def r2_as_exponent(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    r1, r2 = _ready(r1, r2)
    return -r1 * torch.log1p(_distance(length) ** r2)


@exercise.misconception(
    en="One side of the diagonal is 0: keys after the query have their bias, keys before it "
    "have 0 (`clamp` or `triu`). |i − j| counts on both sides.",
    zh="对角线的一侧全是0：查询之后的键有偏置，之前的键没有（用了`clamp`或`triu`）。"
    "|i−j|两侧都要算。",
)
def one_side_only(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    return log_kernel(length, r1, r2).triu()


@exercise.misconception(
    en="One side of the diagonal is 0: keys before the query have their bias, keys after it "
    "have 0 (`clamp` or `tril`). |i − j| counts on both sides.",
    zh="对角线的一侧全是0：查询之前的键有偏置，之后的键没有（用了`clamp`或`tril`）。"
    "|i−j|两侧都要算。",
)
def past_alone(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    return log_kernel(length, r1, r2).tril()


@exercise.misconception(
    en="Right for the past, but a causal mask is in it already, −inf at keys after the query. "
    "Masks are added elsewhere; the formula gives those keys their bias too.",
    zh="过去的部分对了，但你把因果掩码也放了进来，查询之后的键处成了−inf。掩码另外再加；"
    "按公式，这些键也有偏置。",
)
def masked(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    return log_kernel(length, r1, r2).masked_fill(future, -torch.inf)


@exercise.misconception(
    en="The distance has kept its sign: for a key after the query you take the logarithm of 1 + "
    "r2 · (a negative number), which may be NaN. Take the absolute value.",
    zh="距离带着符号：键在查询之后时，你取的是1加上r2乘以一个负数的对数，可能得到NaN。要取绝对值。",
)
def signed_backwards(length: int, r1: Tensor, r2: Tensor) -> Tensor:
    return signed(length, r1, r2).mT
