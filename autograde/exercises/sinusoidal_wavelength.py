"""Exercise sinusoidal_wavelength: after how many tokens each pair of columns comes round."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="sinusoidal_wavelength",
    chapter="02_sinusoidal",
    title=Text(en="How long is a wave?", zh="一个波有多长？"),
    task=Text(
        en=r"""Return the $d/2$ wavelengths $\lambda_i$ in tokens: the distance after which
$\sin(\omega_i p)$ has made one full turn, with $\omega_i=\text{base}^{-2i/d}$.

In: `dim` int, `base` float. Out: shape `(dim/2,)`, shortest first; not always whole numbers.""",
        zh=r"""返回$d/2$个波长$\lambda_i$，单位是词元：$\sin(\omega_i p)$转完整一圈所走的距离，
其中$\omega_i=\text{base}^{-2i/d}$。

输入：`dim`为整数，`base`为浮点数。输出：形状为`(dim/2,)`，从短到长；不必是整数。""",
    ),
    signature="sinusoidal_wavelength(dim, base=10000.0) -> (dim/2,)",
    points=2,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="One full turn is how many radians? Each token advances by ω of them.",
            zh="转一整圈是多少弧度？每个词元前进ω弧度。",
        ),
        Text(
            en=r"Solve $\omega_i\lambda_i=2\pi$ for $\lambda_i$.",
            zh=r"由$\omega_i\lambda_i=2\pi$解出$\lambda_i$。",
        ),
        Text(
            en="`2 * math.pi * base ** (2 * torch.arange(dim // 2) / dim)`: dividing by ω "
            "turned the minus in the exponent into a plus.",
            zh="`2 * math.pi * base ** (2 * torch.arange(dim // 2) / dim)`：除以ω，"
            "指数上的负号就变成了正号。",
        ),
    ),
)


@exercise.check(en="returns dim/2 positive numbers", zh="返回dim/2个正数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dim in (2, 8, 64):
        got = expect_shape(answer(dim), (dim // 2,))
        expect(bool((got > 0).all()), "a length must be positive", "长度必须为正")


@exercise.check(
    en="the shortest wave is 2π tokens; at d=512 the longest is 60 611 tokens",
    zh="最短的波长是2π个词元；d=512时最长的是60611个词元",
    weight=2,
)
def ends(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(512), (256,))
    expect_close(got[[0, -1]], torch.tensor([2 * math.pi, 60611.477]), rtol=1e-5)


@exercise.check(en="right for every pair and every base", zh="每一对、每个base都正确", weight=2)
def values(answer: Function, rng: torch.Generator) -> None:
    for dim, base in ((6, 10000.0), (64, 10000.0), (10, 100.0), (10, 500000.0)):
        expect_close(answer(dim, base), 2 * math.pi / frequencies(dim, base=base), rtol=1e-5)


@exercise.check(
    en="walking one wavelength brings the sine back", zh="走过一个波长，正弦回到原值", weight=2
)
def returns(answer: Function, rng: torch.Generator) -> None:
    omega = frequencies(12, base=50.0)
    start = 3.0 * torch.rand(6, generator=rng, dtype=torch.float64)
    steps = expect_shape(answer(12, 50.0), (6,)).double()
    expect(bool((steps > 0).all()), "a length must be positive", "长度必须为正")
    moved = start + steps
    expect_close((omega * moved).sin(), (omega * start).sin())
    expect_close((omega * moved).cos(), (omega * start).cos())


@exercise.misconception(
    en="You returned 1/ω, the distance for one radian. A full turn is 2π radians: multiply by 2π.",
    zh="你返回的是1/ω，即走过一弧度的距离。整圈是2π弧度：还要乘2π。",
)
def one_radian(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (2 * torch.arange(dim // 2) / dim)


@exercise.misconception(
    en="You used π: after half a turn the sine has changed its sign. A full turn is 2π.",
    zh="你用了π：转半圈后正弦变号。整圈是2π。",
)
def half_turn(dim: int, base: float = 10000.0) -> Tensor:
    return math.pi * base ** (2 * torch.arange(dim // 2) / dim)


@exercise.misconception(
    en="You multiplied 2π by ω instead of dividing: a slow wave must come out long, not short.",
    zh="你用2π乘了ω而不是除以ω：慢的波应该长，而不是短。",
)
def inverted(dim: int, base: float = 10000.0) -> Tensor:
    return 2 * math.pi * base ** (-2 * torch.arange(dim // 2) / dim)


@exercise.misconception(
    en="Your wavelengths reach 2π·base. The paper's text says so too, but its formula stops one "
    "step earlier, at 2π·base^((d−2)/d); only tensor2tensor's exponent reaches base.",
    zh="你的波长走到了2π·base。论文正文也这么写，但按它的公式会在前一步停下，即2π·base^((d−2)/d)；"
    "只有tensor2tensor的指数才到base。",
)
def reaches_base(dim: int, base: float = 10000.0) -> Tensor:
    return 2 * math.pi * base ** (torch.arange(dim // 2) / max(dim // 2 - 1, 1))


@exercise.misconception(
    en="You returned ω/2π, the turns per token. A wavelength is the reverse: tokens per turn.",
    zh="你返回的是ω/2π，即每个词元转多少圈。波长正好反过来：每圈要走多少个词元。",
)
def turns_per_token(dim: int, base: float = 10000.0) -> Tensor:
    return base ** (-2 * torch.arange(dim // 2) / dim) / (2 * math.pi)


@exercise.misconception(
    en="The factor 2 in the exponent is missing: λᵢ = 2π·base^(2i/d), not base^(i/d).",
    zh="指数里漏了因子2：λᵢ = 2π·base^(2i/d)，不是base^(i/d)。",
)
def no_two(dim: int, base: float = 10000.0) -> Tensor:
    return 2 * math.pi * base ** (torch.arange(dim // 2) / dim)
