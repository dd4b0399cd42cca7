"""Exercise sinusoidal_frequencies: one frequency for each pair of columns."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="sinusoidal_frequencies",
    chapter="02_sinusoidal",
    title=Text(en="One frequency per pair of columns", zh="每对通道一个频率"),
    task=Text(
        en=r"""Return the $d/2$ frequencies $\omega_i=\text{base}^{-2i/d}$ for $i=0,\dots,d/2-1$,
in radians per token, the highest first. `dim` is the even number $d$.

In: `dim` int, `base` float. Out: a floating-point tensor of shape `(dim/2,)`.""",
        zh=r"""返回$d/2$个频率$\omega_i=\text{base}^{-2i/d}$，$i=0,\dots,d/2-1$，
单位是弧度/词元，从高到低排列。`dim`就是偶数$d$。

输入：`dim`为整数，`base`为浮点数。输出：形状为`(dim/2,)`的浮点张量。""",
    ),
    signature="sinusoidal_frequencies(dim, base=10000.0) -> (dim/2,)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="`i` counts pairs of columns, not columns: how many values does it take?",
            zh="`i`数的是第几对列，而不是第几列：它一共取多少个值？",
        ),
        Text(
            en="Make `i = torch.arange(dim // 2)`; the exponent −2i/d starts at 0 "
            "and stays above −1.",
            zh="先写`i = torch.arange(dim // 2)`；指数−2i/d从0开始，始终大于−1。",
        ),
        Text(
            en="A number may be raised to a tensor: `base ** exponent`. `**` binds tighter than "
            "multiplication and division.",
            zh="标量可以直接拿张量作指数：`base ** exponent`。`**`比乘除先算。",
        ),
    ),
)


@exercise.truth
def one_by_one(dim: int, base: float = 10000.0) -> Tensor:
    exponents = [2 * i / dim for i in range(dim // 2)]
    return torch.tensor([math.exp(-e * math.log(base)) for e in exponents], dtype=torch.float64)


def _dim(rng: torch.Generator) -> int:
    return 2 * int(torch.randint(4, 40, (), generator=rng))


def _base(rng: torch.Generator) -> float:
    return 10 ** (1.5 + 4 * torch.rand((), generator=rng).item())  # from 32 to 316 228


@exercise.check(
    en="returns dim/2 floating-point numbers, one per pair of columns",
    zh="返回dim/2个浮点数，每对通道一个",
)
def shape(answer: Function, rng: torch.Generator) -> None:
    for dim in (2, 8, 64):
        got = expect_shape(answer(dim), (dim // 2,))
        expect(
            got.dtype in (torch.float32, torch.float64),
            f"the dtype is {got.dtype}: a frequency needs float32 or float64",
            f"dtype为{got.dtype}：频率需要float32或float64",
        )


@exercise.check(en="equals 10000^(-2i/d) for several d", zh="对多个d都等于10000^(-2i/d)", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for dim in (6, _dim(rng), 100 + _dim(rng), 2):  # 2 last: ω₀ = 1 hides nearly every mistake
        expect_agreement(answer, one_by_one, dim, rtol=1e-5, atol=0.0)


@exercise.check(en="follows a different base", zh="换一个base也正确", weight=2)
def other_base(answer: Function, rng: torch.Generator) -> None:
    for base in (_base(rng), 500000.0):
        expect_agreement(answer, one_by_one, _dim(rng), base, rtol=1e-5, atol=0.0)


@exercise.check(
    en="falls by the same factor from each frequency to the next",
    zh="相邻频率之比处处相同",
    weight=2,
)
def geometric(answer: Function, rng: torch.Generator) -> None:
    dim, base = _dim(rng), _base(rng)
    got = expect_shape(answer(dim, base), (dim // 2,)).double()
    expect(
        bool((got > 0).all()),
        "a frequency is zero or negative: its column would stand still or run backwards",
        "有频率为零或为负：对应的列会静止不动或倒着走",
    )
    expect_close(got[1:] / got[:-1], torch.full((dim // 2 - 1,), base ** (-2 / dim)), rtol=1e-4)


@exercise.misconception(
    en="You used + in the exponent: the frequencies grow, to 7499 radians per token at d=64, "
    "so that neighbouring positions look unrelated. The exponent is −2i/d.",
    zh="指数里写成了加号：频率越来越大，d=64时高达每词元7499弧度，相邻位置毫无关联。指数应为−2i/d。",
)
def plus_sign(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (2 * torch.arange(dim // 2) / dim)


@exercise.misconception(
    en="The factor 2 is missing: the exponent −i/d stops half-way, so the lowest frequency stays "
    "near 1/√base instead of 1/base.",
    zh="漏了因子2：指数−i/d只走完一半，最低的频率停在1/√base附近，而不是1/base附近。",
)
def no_two(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-torch.arange(dim // 2) / dim)


@exercise.misconception(
    en="You counted i over channels (0, 2, 4, …) and doubled it again: the exponent runs almost to "
    "−2 and the lowest frequency is about 1/base², so that half of the channels hardly move. Here "
    "i counts pairs: 0, 1, 2, …",
    zh="你让i按通道取0、2、4……，又乘了一次2：指数一直走到−2附近，最低频率约为1/base²，一半的通道几乎不动。"
    "这里的i是第几对通道的编号：0、1、2……",
)
def channel_index(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-2 * torch.arange(0, dim, 2) / dim)


@exercise.misconception(
    en="These are tensor2tensor's frequencies, −i/(d/2−1): they end at exactly 1/base. The paper's "
    "exponent −2i/d stops one step before.",
    zh="这是tensor2tensor的频率，指数为−i/(d/2−1)，恰好走到1/base。论文的指数−2i/d会在前一步停下。",
)
def tensor2tensor(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-torch.arange(dim // 2) / max(dim // 2 - 1, 1))


@exercise.misconception(
    en="You gave one frequency per channel. Sine and cosine of a pair share one: there are d/2.",
    zh="你给每个通道都配了一个频率。同一对里的正弦和余弦共用一个，总共只有d/2个。",
)
def one_per_channel(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-2 * (torch.arange(dim) // 2) / dim)


@exercise.misconception(
    en="Python reads `base ** -2 * i / dim` as `(base ** -2) * i / dim`. The whole exponent needs "
    "parentheses: `base ** (-2 * i / dim)`.",
    zh="Python把`base ** -2 * i / dim`读成`(base ** -2) * i / dim`。"
    "整个指数要加括号：`base ** (-2 * i / dim)`。",
)
def no_parentheses(dim: int, base: float = 10000.0) -> Tensor:
    return base**-2 * torch.arange(dim // 2) / dim


@exercise.misconception(
    en="You counted i from 1: the first frequency is missing. i starts at 0, so ω₀ = 1.",
    zh="你让i从1开始数，少了第一个频率。i从0开始，所以ω₀ = 1。",
)
def from_one(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-2 * torch.arange(1, dim // 2 + 1) / dim)


@exercise.misconception(
    en="You divided by 2π: these are turns per token. The ω of sin(ωp) is an angle per token, in "
    "radians, and the highest ω is 1.",
    zh="你除以了2π：这是每个词元转多少圈。sin(ωp)里的ω是每个词元转过的角度，单位是弧度，最大的一个是1。",
)
def turns_per_token(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-2 * torch.arange(dim // 2) / dim) / (2 * math.pi)


@exercise.misconception(
    en="You counted channels in the exponent, −c/d for c = 0 … d−1. Sine and cosine of a pair "
    "share one frequency (otherwise the norm of the encoding wanders): there are d/2, with the "
    "exponents −2i/d.",
    zh="你在指数里数的是通道，即−c/d，c从0到d−1。"
    "同一对里的正弦和余弦共用一个频率（否则编码的范数会飘忽不定）：总共只有d/2个，指数是−2i/d。",
)
def exponent_per_channel(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-torch.arange(dim) / dim)


@exercise.misconception(
    en="These are wavelengths, 2π/ω: tokens per turn. A frequency is the angle per token, ω.",
    zh="这是波长2π/ω，即转一圈要走多少个词元。频率是每个词元转过的角度ω。",
)
def wavelengths(dim: int, base: float = 10000.0) -> Tensor:
    return 2 * math.pi * base ** (2 * torch.arange(dim // 2) / dim)


@exercise.misconception(
    en="All your frequencies are 1, as with `2 * i // dim`: integer division gives 0 for every i. "
    "Divide with `/`.",
    zh="你的频率全是1，写`2 * i // dim`就会这样：整除对每个i都得0。应当用`/`。",
)
def whole_exponents(dim: int, base: float = 10000.0) -> Tensor:
    return torch.ones(dim // 2)


@exercise.misconception(
    en="With the minus inside, `-2 * i // dim` is −1 for every i but 0: all frequencies after the "
    "first are 1/base. Divide with `/`.",
    zh="负号放进去以后，除i=0外`-2 * i // dim`都是−1：第一个以后的频率全是1/base。应当用`/`。",
)
def floor_of_negative(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-2 * torch.arange(dim // 2) // dim).double()


@exercise.misconception(
    en="You computed a frequency for each channel, d in all. Sine and cosine of a pair share one, "
    "so i runs from 0 to d/2 − 1.",
    zh="你给每个通道都算了一个频率，共d个。一对正弦和余弦共用一个，所以i从0到d/2 − 1。",
)
def for_every_channel(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-2 * torch.arange(dim) / dim)


@exercise.misconception(
    en="The exponents are those of the odd channels, −1/d, −3/d, … 2i is even and starts at 0: "
    "`torch.arange(0, dim, 2)`.",
    zh="指数用的是奇数通道的−1/d、−3/d……而2i是偶数，从0开始：`torch.arange(0, dim, 2)`。",
)
def odd_channels(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-torch.arange(1, dim, 2) / dim)
