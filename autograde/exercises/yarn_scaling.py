"""Exercise yarn_scaling: the frequencies and the temperature of YaRN, as the paper has them."""

import math
from typing import Any

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_number
from bilingual import Text
from posenc_ref.sinusoidal import frequencies
from posenc_ref.yarn import yarn

exercise = Exercise(
    id="yarn_scaling",
    chapter="06_rope_scaling",
    title=Text(en="YaRN: frequencies and temperature", zh="YaRN：频率与温度"),
    task=Text(
        en=r"""Return two things: the frequencies
$\omega'_i=(1-\gamma_i)\,\omega_i/s+\gamma_i\omega_i$ with the paper's ramp
($\alpha=1$, $\beta=32$, linear in the turns $r_i=L\omega_i/2\pi$), and the number
$0.1\ln s+1$ by which q and k are *each* multiplied.

In: `dim` is $d$; `factor` is $s\ge1$; `trained_length` is $L$; $\omega_i=\text{base}^{-2i/d}$.
Out: a pair `(frequencies, temperature)`; frequencies of shape `(dim/2,)`.""",
        zh=r"""返回两样东西：频率$\omega'_i=(1-\gamma_i)\,\omega_i/s+\gamma_i\omega_i$，
斜坡用论文的（$\alpha=1$，$\beta=32$，随圈数$r_i=L\omega_i/2\pi$线性变化）；
以及q和k*各自*要乘的数$0.1\ln s+1$。

输入：`dim`就是$d$；`factor`就是$s\ge1$；`trained_length`就是$L$；$\omega_i=\text{base}^{-2i/d}$。
输出：一对`(frequencies, temperature)`，frequencies的形状为`(dim/2,)`。""",
    ),
    signature="yarn_scaling(dim, factor, trained_length, base=10000.0) -> ((dim/2,), number)",
    points=3,
    difficulty=3,
    minutes=10,
    hints=(
        Text(
            en="You have the ramp already: γ is how much of ω a pair keeps.",
            zh="斜坡你已经写过了：γ是一对保留多少ω。",
        ),
        Text(
            en="Blend ω and ω/s by γ. ln is the natural logarithm, `math.log`.",
            zh="用γ混合ω和ω/s。ln是自然对数，即`math.log`。",
        ),
        Text(
            en="`kept * omega + (1 - kept) * omega / factor`, and `0.1 * math.log(factor) + 1`.",
            zh="`kept * omega + (1 - kept) * omega / factor`，以及`0.1 * math.log(factor) + 1`。",
        ),
    ),
)
CASES = ((64, 4.0, 2048, 10000.0), (128, 16.0, 4096, 10000.0), (32, 8.0, 300, 500.0))


def _pair(got: Any) -> tuple[Any, Any]:
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "return two things: `return frequencies, temperature`",
        "要返回两样东西：`return frequencies, temperature`",
    )
    expect(
        not isinstance(got[0], int | float),
        "the frequencies come first: `return frequencies, temperature`",
        "频率在前：`return frequencies, temperature`",
    )
    return got[0], got[1]


@exercise.check(
    en="factor 1 leaves the frequencies, and the temperature is 1",
    zh="factor为1时频率不变，温度为1",
)
def unchanged(answer: Function, rng: torch.Generator) -> None:
    got, temperature = _pair(answer(64, 1.0, 2048))
    expect_close(got, frequencies(64), rtol=2e-5, atol=0.0)
    expect_number(temperature, 1.0)


@exercise.check(en="frequencies blended by the paper's ramp", zh="频率按论文的斜坡混合", weight=3)
def blended(answer: Function, rng: torch.Generator) -> None:
    for dim, factor, length, base in CASES:
        got, _ = _pair(answer(dim, factor, length, base))
        want, _ = yarn(dim, factor, length, base=base, ramp="paper")
        expect_close(got, want, rtol=2e-5, atol=0.0)
    got, _ = _pair(answer(64, 4.0, 2048))
    expect_close(got, yarn(64, 4.0, 2048, ramp="paper")[0], rtol=2e-5, atol=0.0)


@exercise.check(en="temperature 0.1 ln s + 1", zh="温度为0.1 ln s + 1", weight=2)
def temperature(answer: Function, rng: torch.Generator) -> None:
    for factor in (2.0, 16.0, 32.0):
        _, got = _pair(answer(64, factor, 2048))
        expect_number(got, 0.1 * math.log(factor) + 1)


def _right(dim: int, factor: float, length: int, base: float) -> tuple[Tensor, float]:
    return yarn(dim, factor, length, base=base, ramp="paper")


@exercise.misconception(
    en="Your temperature is what the *scores* are multiplied by, (0.1 ln s + 1)². Each of q and k "
    "gets the root; else the scores grow by the fourth power.",
    zh="你的温度是*得分*要乘的数，(0.1 ln s + 1)²。q和k各乘它的平方根，否则得分就乘了四次方。",
)
def squared(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = _right(dim, factor, trained_length, base)
    return omega, t**2


@exercise.misconception(
    en="This is 1/(0.1 ln s + 1): it flattens attention, YaRN sharpens it. The paper's t lies in "
    "the denominator, √(1/t) = 0.1 ln s + 1.",
    zh="这是1/(0.1 ln s + 1)：它让注意力更平，YaRN要的是更尖。"
    "论文的t在分母里，√(1/t) = 0.1 ln s + 1。",
)
def inverted(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = _right(dim, factor, trained_length, base)
    return omega, 1 / t


@exercise.misconception(
    en="The ramp is reversed: fast pairs are interpolated, slow ones are left to run past every "
    "angle of training.",
    zh="斜坡反了：快的对被插值，慢的对却放任不管，一路越过训练见过的所有角度。",
)
def reversed_ramp(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = _right(dim, factor, trained_length, base)
    plain = frequencies(dim, base=base)
    return plain + plain / factor - omega, t


@exercise.misconception(
    en="These are the frequencies of the published *code*, whose ramp runs over the index of the "
    "pair. Here the paper's is asked for, linear in the turns.",
    zh="这是公开*代码*的频率，它的斜坡沿对的编号走。这里要的是论文的，随圈数线性变化。",
)
def ramp_of_the_code(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return yarn(dim, factor, trained_length, base=base, ramp="code")


@exercise.misconception(
    en="The logarithm is to base 10. ln is the natural one: for s = 16 it is 2.77, not 1.20.",
    zh="你用了以10为底的对数。ln是自然对数：s = 16时是2.77，不是1.20。",
)
def decadic(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return _right(dim, factor, trained_length, base)[0], 0.1 * math.log10(factor) + 1


@exercise.misconception(
    en="Slow pairs are multiplied by the factor; they must be divided. Yours turn s² times too "
    "fast.",
    zh="慢的对乘了factor，应该除：你的转得快了s²倍。",
)
def multiplied(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = _right(dim, factor, trained_length, base)
    plain = frequencies(dim, base=base)
    return plain + factor * (plain - omega), t  # kept · ω + (1 - kept) · ω · s


@exercise.misconception(
    en="This is the paper's t, by which the *scores* are divided. q and k are each multiplied by "
    "√(1/t), and that is 0.1 ln s + 1.",
    zh="这是论文里的t，*得分*要除以它。q和k各自要乘的是√(1/t)，也就是0.1 ln s + 1。",
)
def t_of_the_paper(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = _right(dim, factor, trained_length, base)
    return omega, 1 / t**2


@exercise.misconception(
    en="2π is missing: Lω is an angle in radians, not a number of turns. Every pair seems to turn "
    "6.28 times as often as it does.",
    zh="少除了2π：Lω是弧度，不是圈数。每一对看起来都转了实际圈数的6.28倍。",
)
def radians(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return _right(dim, factor, 2 * math.pi * trained_length, base)


@exercise.misconception(
    en="You counted the turns within the long text, s·L. The ramp asks what training showed: turns "
    "within `trained_length`.",
    zh="你数的是长文本s·L之内的圈数。斜坡问的是训练中见过什么：`trained_length`之内的圈数。",
)
def turns_of_the_long_text(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return _right(dim, factor, factor * trained_length, base)


@exercise.misconception(
    en="The frequencies are multiplied by the temperature too. It scales q and k, not the angles.",
    zh="频率也乘了温度。温度缩放的是q和k，不是角度。",
)
def scaled_angles(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = _right(dim, factor, trained_length, base)
    return omega * t, t
