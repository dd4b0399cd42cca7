"""Exercise yarn_scaling: frequencies and attention factor of YaRN, as the paper has them."""

import math
from typing import Any

import torch
from torch import Tensor

from autograde.exercises._ramps import WRONG_RAMPS, ramp
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect
from autograde.kit.expect_values import expect_close, expect_number
from bilingual import Text
from posenc_ref.sinusoidal import frequencies
from posenc_ref.yarn import yarn

exercise = Exercise(
    id="yarn_scaling",
    chapter="06_rope_scaling",
    title=Text(en="YaRN: frequencies and attention factor", zh="YaRN：频率与注意力因子"),
    task=Text(
        en=r"""Return the two things that YaRN changes. First the frequencies, by the paper's ramp:
pairs with more than 32 turns within the trained length keep $\omega_i=\text{base}^{-2i/d}$, pairs
with less than one get $\omega_i/s$, and between them the two are blended, linearly in the number
of turns. Second the number by which q and k are *each* multiplied, so that scores are divided by
the paper's temperature $t$, where $\sqrt{1/t}=0.1\ln s+1$.

In: `dim` is $d$, even; `factor` is $s\ge1$; `trained_length` is $L$, in tokens. Out: a pair
`(frequencies, attention_factor)`: frequencies of shape `(dim/2,)`, and that number.""",
        zh=r"""返回YaRN改动的两样东西。一是频率，斜坡用论文的：在训练长度内超过32圈的对保持
$\omega_i=\text{base}^{-2i/d}$，不到1圈的变为$\omega_i/s$，两者之间按圈数线性混合。
二是q和k*各自*要乘的数，乘了以后得分正好除以论文的温度$t$，其中$\sqrt{1/t}=0.1\ln s+1$。

输入：`dim`就是$d$，为偶数；`factor`就是$s\ge1$；`trained_length`就是$L$，单位是词元。
输出：一对`(frequencies, attention_factor)`：前者形状为`(dim/2,)`，后者就是上面那个数。
""",
    ),
    signature="yarn_scaling(dim, factor, trained_length, base=10000.0) -> ((dim/2,), number)",
    points=3,
    difficulty=3,
    minutes=12,
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
            en="For γ = 1 the blend must be ω, for γ = 0 it must be ω/s. The second number needs "
            "no root and no square: q and k together bring the square.",
            zh="γ = 1时混合的结果应是ω，γ = 0时应是ω/s。第二个数不用再开方，也不用平方："
            "q和k各乘一次，合起来就是平方。",
        ),
    ),
)


def _pair(got: Any) -> tuple[Any, Any]:
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "return two things: `return frequencies, attention_factor`",
        "要返回两样东西：`return frequencies, attention_factor`",
    )
    expect(
        not isinstance(got[0], int | float),
        "the frequencies come first: `return frequencies, attention_factor`",
        "频率在前：`return frequencies, attention_factor`",
    )
    return got[0], got[1]


@exercise.truth
def as_in_the_paper(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return yarn(dim, factor, trained_length, base=base, ramp="paper")


def _arguments(rng: torch.Generator) -> tuple[int, float, int, float]:
    dim = 2 * int(torch.randint(16, 130, (), generator=rng))
    factor = 1.5 + 30 * torch.rand((), generator=rng).item()
    length = int(torch.randint(300, 4000, (), generator=rng))
    base = float(torch.randint(10_000, 600_000, (), generator=rng))
    return dim, factor, length, base  # some pairs turn more than 32 times, some less than once


def _expect_frequencies(answer: Function, *sizes: float) -> None:
    got, _ = _pair(answer(*sizes))
    expect_close(got, exercise.true_answer(*sizes)[0], rtol=2e-5, atol=0.0)


@exercise.check(
    en="factor 1 leaves the frequencies, and the attention factor is 1",
    zh="factor为1时频率不变，注意力因子为1",
)
def unchanged(answer: Function, rng: torch.Generator) -> None:
    got, temperature = _pair(answer(64, 1.0, 2048))
    expect_close(got, frequencies(64), rtol=2e-5, atol=0.0)
    expect_number(temperature, 1.0)


@exercise.check(en="frequencies blended by the paper's ramp", zh="频率按论文的斜坡混合", weight=3)
def blended(answer: Function, rng: torch.Generator) -> None:
    for sizes in ((32, 8.0, 300, 500.0), _arguments(rng), _arguments(rng), (64, 4.0, 2048)):
        _expect_frequencies(answer, *sizes)
    _expect_frequencies(answer, 2, 1.0, 2048)  # at the end: NTK's d/(d - 2) divides by 0 there


@exercise.check(en="attention factor 0.1 ln s + 1", zh="注意力因子为0.1 ln s + 1", weight=2)
def temperature(answer: Function, rng: torch.Generator) -> None:
    for _ in range(3):
        dim, factor, *others = _arguments(rng)
        _, got = _pair(answer(dim, factor, *others))
        expect_number(got, 0.1 * math.log(factor) + 1)


@exercise.misconception(
    en="Your second number is what the *scores* are multiplied by, (0.1 ln s + 1)². Each of q and "
    "k gets the root; otherwise the scores grow by the fourth power.",
    zh="你的第二个数是*得分*要乘的数，(0.1 ln s + 1)²。q和k各乘它的平方根，否则得分就乘了四次方。",
)
def squared(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = as_in_the_paper(dim, factor, trained_length, base)
    return omega, t**2


@exercise.misconception(
    en="This is 1/(0.1 ln s + 1): it flattens attention, whereas YaRN sharpens it. The paper's t "
    "is in the denominator, √(1/t) = 0.1 ln s + 1.",
    zh="这是1/(0.1 ln s + 1)：它让注意力更平，YaRN要的是更尖。"
    "论文的t在分母里，√(1/t) = 0.1 ln s + 1。",
)
def inverted(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = as_in_the_paper(dim, factor, trained_length, base)
    return omega, 1 / t


@exercise.misconception(
    en="These are the frequencies of the published *code*, whose ramp runs over the index of the "
    "pair. Here it is the paper's, linear in the turns.",
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
    return as_in_the_paper(dim, factor, trained_length, base)[0], 0.1 * math.log10(factor) + 1


@exercise.misconception(
    en="Slow pairs are multiplied by the factor; they must be divided. Yours turn s² times as "
    "fast as they should.",
    zh="低频对乘了factor，应该除：你的结果快到了应有的s²倍。",
)
def multiplied(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = as_in_the_paper(dim, factor, trained_length, base)
    plain = frequencies(dim, base=base)
    return plain + factor * (plain - omega), t  # gamma · ω + (1 - gamma) · ω · s


@exercise.misconception(
    en="This is the paper's t, by which the *scores* are divided. q and k are each multiplied by "
    "√(1/t), and that is 0.1 ln s + 1.",
    zh="这是论文里的t，*得分*要除以它。q和k各自要乘的是√(1/t)，也就是0.1 ln s + 1。",
)
def t_of_the_paper(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = as_in_the_paper(dim, factor, trained_length, base)
    return omega, 1 / t**2


@exercise.misconception(
    en="You counted the turns within the long text, s·L. The ramp asks what training showed: turns "
    "within `trained_length`.",
    zh="你数的是长文本s·L之内的圈数。斜坡问的是训练中见过什么：`trained_length`之内的圈数。",
)
def turns_of_the_long_text(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return as_in_the_paper(dim, factor, factor * trained_length, base)


@exercise.misconception(
    en="The frequencies are multiplied by the attention factor too. It scales q and k, not the "
    "angles.",
    zh="频率也乘了注意力因子。这个因子缩放的是q和k，不是角度。",
)
def scaled_angles(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = as_in_the_paper(dim, factor, trained_length, base)
    return omega * t, t


@exercise.misconception(
    en="The + 1 is missing: for s = 1 q and k would be multiplied by 0, and the attention would "
    "be uniform. Without any stretch the number must be 1.",
    zh="漏了+ 1：s = 1时q和k都乘以0，注意力就完全平了。没有扩展时，这个数应当是1。",
)
def without_one(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = as_in_the_paper(dim, factor, trained_length, base)
    return omega, t - 1


@exercise.misconception(
    en="The 0.1 is missing: ln s + 1 is 3.77 for s = 16, where YaRN has 1.277.",
    zh="漏了0.1：s = 16时ln s + 1是3.77，而YaRN的是1.277。",
)
def without_tenth(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return as_in_the_paper(dim, factor, trained_length, base)[0], math.log(factor) + 1


@exercise.misconception(
    en="There is no attention factor: these are NTK-by-parts' frequencies and a 1. YaRN also "
    "sharpens attention, because a long text has more keys.",
    zh="没有注意力因子：这是NTK-by-parts的频率，外加一个1。长文本的键更多，所以YaRN还要让注意力更尖。",
)
def no_temperature(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return as_in_the_paper(dim, factor, trained_length, base)[0], 1.0


@exercise.misconception(
    en="Every pair is divided by s: that is position interpolation, and neighbours come s times "
    "as close. Fast pairs keep their ω.",
    zh="每一对都除以了s：这是位置插值，相邻词元的间隔只剩1/s。高频对应当保留ω。",
)
def all_divided(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    return frequencies(dim, base=base) / factor, 0.1 * math.log(factor) + 1


@exercise.misconception(
    en="These are the frequencies of NTK-aware scaling, with the base s^(d/(d-2)) times as large: "
    "that slows every pair but the first. YaRN blends ω and ω/s pair by pair, and leaves the base.",
    zh="这是NTK-aware缩放的频率，base乘了s^(d/(d-2))，除第一对外都变慢了。YaRN不动base，"
    "而是逐对混合ω和ω/s。",
)
def ntk_aware(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega = frequencies(dim, base=base * factor ** (dim / (dim - 2)))
    return omega, 0.1 * math.log(factor) + 1


@exercise.misconception(
    en="The + 1 stands inside of the logarithm, 0.1 ln(s + 1): for s = 1 that is 0.069, where the "
    "number must be 1. Take the logarithm of s alone, and add 1 at the end.",
    zh="+ 1写进了对数里，成了0.1 ln(s + 1)：s = 1时得0.069，而那时应当是1。"
    "对数里只有s，1最后再加。",
)
def one_inside(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, _ = as_in_the_paper(dim, factor, trained_length, base)
    return omega, 0.1 * math.log(factor + 1)


@exercise.misconception(
    en="You blended the wavelengths, not the frequencies: 1/((1 - γ)·s + γ) is a different curve "
    "between the same ends.",
    zh="你混合的是波长，不是频率：1/((1 - γ)·s + γ)两端相同，中间是另一条曲线。",
)
def blended_wavelengths(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega = frequencies(dim, base=base)
    gamma = ramp(trained_length * omega / (2 * math.pi), 1.0, 32.0)
    return omega / ((1 - gamma) * factor + gamma), 0.1 * math.log(factor) + 1


@exercise.misconception(
    en="Half of the blend is missing, (1 - γ)ω/s: pairs with less than one turn come out as 0 and "
    "never turn. They must get ω/s.",
    zh="混合时少了(1 - γ)ω/s这一半：转不到1圈的对成了0，根本不转。它们应当是ω/s。",
)
def one_half_only(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega = frequencies(dim, base=base)
    gamma = ramp(trained_length * omega / (2 * math.pi), 1.0, 32.0)
    return gamma * omega, 0.1 * math.log(factor) + 1


@exercise.misconception(
    en="One root too many: 0.1 ln s + 1 is √(1/t) already, the number for each of q and k.",
    zh="多开了一次根号：0.1 ln s + 1已经是√(1/t)，也就是q和k各自要乘的数。",
)
def rooted(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = as_in_the_paper(dim, factor, trained_length, base)
    return omega, t**0.5


@exercise.misconception(
    en="The 1 is multiplied by 0.1 too, 0.1 (ln s + 1): without any stretch the number would be "
    "0.1. It must be 1 there.",
    zh="1也乘了0.1，成了0.1 (ln s + 1)：没有扩展时会得到0.1，而那时应当是1。",
)
def tenth_of_the_sum(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega, t = as_in_the_paper(dim, factor, trained_length, base)
    return omega, t - 0.9


@exercise.misconception(
    en="The wavelength is 2π/ω, not 2πω: with yours the *slow* pairs seem to turn most often, and "
    "keep their ω.",
    zh="波长是2π/ω，不是2πω：按你的算法，看起来反而是*低频*对转得最多，保留了ω。",
)
def wavelength_times_omega(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> tuple[Tensor, float]:
    omega = frequencies(dim, base=base)
    gamma = ramp(trained_length / (2 * math.pi * omega), 1.0, 32.0)
    return gamma * omega + (1 - gamma) * omega / factor, 0.1 * math.log(factor) + 1


def _answer_with(share: Function) -> Function:
    def answer(
        dim: int, factor: float, trained_length: int, base: float = 10000.0
    ) -> tuple[Tensor, float]:
        omega = frequencies(dim, base=base)
        gamma = share(trained_length * omega / (2 * math.pi), 1.0, 32.0)
        return gamma * omega + (1 - gamma) * omega / factor, 0.1 * math.log(factor) + 1

    return answer


WRONG_RAMPS.name_in(exercise, _answer_with)
