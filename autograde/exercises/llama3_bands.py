"""Exercise llama3_bands: the three bands of wavelengths of Llama 3.1."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="llama3_bands",
    chapter="06_rope_scaling",
    title=Text(en="Llama 3.1's bands", zh="Llama 3.1的分段"),
    task=Text(
        en=r"""Return the frequencies of Llama 3.1. With $\lambda_i=2\pi/\omega_i$ and the trained
length $L$: shorter waves than $L/\text{high}$ keep $\omega_i$; longer ones than $L/\text{low}$ get
$\omega_i/s$; between them $(1-\gamma)\,\omega_i/s+\gamma\,\omega_i$ with
$\gamma=(L/\lambda_i-\text{low})/(\text{high}-\text{low})$.

In: `omega` of shape `(D/2,)`; `factor` is $s$. Out: shape `(D/2,)`.""",
        zh=r"""返回Llama 3.1的频率。设$\lambda_i=2\pi/\omega_i$，训练长度为$L$：
比$L/\text{high}$短的波保持$\omega_i$；比$L/\text{low}$长的波变为$\omega_i/s$；
两者之间是$(1-\gamma)\,\omega_i/s+\gamma\,\omega_i$，
其中$\gamma=(L/\lambda_i-\text{low})/(\text{high}-\text{low})$。

输入：`omega`形状为`(D/2,)`；`factor`就是$s$。输出：形状为`(D/2,)`。""",
    ),
    signature="llama3_bands(omega, factor=8.0, low=1.0, high=4.0, trained_length=8192) -> (D/2,)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Compute the wavelengths first. Which have the longer waves, fast or slow pairs?",
            zh="先算波长。频率快的一头和慢的一头，哪头波长更长？",
        ),
        Text(
            en="`torch.where(condition, a, b)` chooses pair by pair; two of them make three bands.",
            zh="`torch.where(condition, a, b)`逐对选择，用两次就有三段。",
        ),
        Text(
            en="γ is negative above L/low and more than 1 below L/high: clamping it to 0…1 gives "
            "all three bands in one formula.",
            zh="波长大于L/low时γ为负，小于L/high时γ大于1：把它截断到0…1，一个公式就包含了三段。",
        ),
    ),
)


def _kept(
    omega: Tensor,
    factor: float = 8.0,
    low: float = 1.0,
    high: float = 4.0,
    trained_length: float = 8192,
) -> Tensor:
    return (trained_length * omega / (2 * math.pi) - low) / (high - low)


def _blend(omega: Tensor, kept: Tensor, factor: float = 8.0, *_: float) -> Tensor:
    return (1 - kept) * omega / factor + kept * omega


def _right(omega: Tensor, *given: float) -> Tensor:
    return _blend(omega, _kept(omega, *given).clamp(0, 1), *given)


@exercise.check(en="one frequency for every pair", zh="每一对一个频率")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(frequencies(128, base=500000.0)), (64,))


@exercise.check(
    en="short waves are kept, long ones divided by the factor",
    zh="短波保持不变，长波除以factor",
    weight=2,
)
def ends(answer: Function, rng: torch.Generator) -> None:
    omega = frequencies(128, base=500000.0)
    got = expect_shape(answer(omega), (64,))
    expect_close(got[:10], omega[:10], atol=0.0)
    expect_close(got[-10:], omega[-10:] / 8, atol=0.0)


@exercise.check(en="equals the formula in all three bands", zh="三段都与公式一致", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    omega = frequencies(256, base=500000.0)
    # a short length first: its middle band is fast, so that wrong answers differ visibly
    for given in ((4.0, 2.0, 20.0, 200), (8.0, 1.0, 4.0, 8192), (32.0, 1.0, 4.0, 8192)):
        expect_close(answer(omega, *given), _right(omega, *given), rtol=1e-4, atol=0.0)
    expect_close(answer(omega), _right(omega), rtol=1e-4, atol=0.0)


@exercise.misconception(
    en="The bands are swapped: long waves keep their frequency and short ones are divided. A *low* "
    "frequency is a *long* wave.",
    zh="两头弄反了：长波保持不变，短波反而被除了。*低*频率就是*长*波。",
)
def swapped(omega: Tensor, *given: float) -> Tensor:
    return _blend(omega, 1 - _kept(omega, *given).clamp(0, 1), *given)


@exercise.misconception(
    en="The two ends are right, the middle is the wrong way round: γ belongs to ω, and 1 - γ to "
    "ω/s.",
    zh="两端对了，中间一段反了：γ乘的是ω，1 - γ乘的是ω/s。",
)
def swapped_in_the_middle(omega: Tensor, *given: float) -> Tensor:
    kept = _kept(omega, *given)
    between = (kept > 0) & (kept < 1)
    return _blend(omega, torch.where(between, 1 - kept, kept.clamp(0, 1)), *given)


@exercise.misconception(
    en="There is no middle band: frequencies jump by the factor at one wavelength. Between L/high "
    "and L/low they must be blended.",
    zh="少了中间那段：频率在某个波长处一下子跳了factor倍。L/high和L/low之间要混合。",
)
def no_blend(omega: Tensor, *given: float) -> Tensor:
    return _blend(omega, (_kept(omega, *given) > 0).to(omega.dtype), *given)


@exercise.misconception(
    en="The middle band is blended linearly in the wavelength λ. The formula is linear in L/λ, the "
    "number of turns.",
    zh="中间一段随波长λ线性混合了。公式是随L/λ（圈数）线性变化的。",
)
def linear_in_wavelength(
    omega: Tensor,
    factor: float = 8.0,
    low: float = 1.0,
    high: float = 4.0,
    trained_length: float = 8192,
) -> Tensor:
    wavelength, longest = 2 * math.pi / omega, trained_length / low
    kept = (longest - wavelength) / (longest - trained_length / high)
    return _blend(omega, kept.clamp(0, 1), factor)


@exercise.misconception(
    en="The wavelength is 2π/ω, not 1/ω: without 2π every wave seems 6.28 times shorter than it "
    "is, and the bands move.",
    zh="波长是2π/ω，不是1/ω：少了2π，每个波看起来只有实际的1/6.28长，三段的位置就都移了。",
)
def radians(omega: Tensor, *given: float) -> Tensor:
    kept = _kept(2 * math.pi * omega, *given)
    return _blend(omega, kept.clamp(0, 1), *given)


@exercise.misconception(
    en="γ is not cut off, so the formula of the middle band runs on into the two others: short "
    "waves get too fast, long ones too slow or even backwards. Clamp γ to 0…1, or choose by "
    "wavelength.",
    zh="γ没有截断，中间一段的公式一直用到了两头：短波变得太快，长波变得太慢，甚至转反。"
    "把γ截断到0…1，或者按波长分开选。",
)
def not_cut(omega: Tensor, *given: float) -> Tensor:
    return _blend(omega, _kept(omega, *given), *given)


@exercise.misconception(
    en="Every pair comes out as it was. Do you compare ω with L/high? It is the wavelength 2π/ω "
    "that is long or short.",
    zh="每一对都原样不变。你是不是拿ω去和L/high比了？有长短之分的是波长2π/ω。",
)
def unscaled(omega: Tensor, *given: float) -> Tensor:
    return omega.clone()


@exercise.misconception(
    en="Long waves are multiplied by the factor; they must be divided, so that they turn more "
    "slowly.",
    zh="长波乘了factor，应该除，让它们转得更慢。",
)
def multiplied(omega: Tensor, *given: float) -> Tensor:
    kept = _kept(omega, *given).clamp(0, 1)
    factor = given[0] if given else 8.0
    return kept * omega + (1 - kept) * omega * factor


@exercise.misconception(
    en="All frequencies are divided: that is plain position interpolation.",
    zh="所有频率都除了：这就是普通的位置插值。",
)
def interpolated(omega: Tensor, factor: float = 8.0, *_: float) -> Tensor:
    return omega / factor
