"""Exercise llama3_bands: the three bands of wavelengths of Llama 3.1."""

import math

import torch
from torch import Tensor

from autograde.exercises._ramps import WRONG_RAMPS, ramp
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="llama3_bands",
    chapter="06_rope_scaling",
    title=Text(en="Llama 3.1's bands", zh="Llama 3.1的频段"),
    task=Text(
        en=r"""Return the frequencies of Llama 3.1. With the wavelength $\lambda_i$ of pair $i$ and
the trained length $L$: waves shorter than $L/\text{high}$ keep $\omega_i$; waves longer than
$L/\text{low}$ get $\omega_i/s$. Between the two borders a pair gets
$(1-\gamma)\,\omega_i/s+\gamma\,\omega_i$, with the $\gamma$ that is linear in $L/\lambda_i$ and for
which nothing jumps at either border.

In: `omega` of shape `(D/2,)`, radians per token; `factor` is $s$; $0<\text{low}<\text{high}$. Out:
shape `(D/2,)`.""",
        zh=r"""返回Llama 3.1的频率。设第$i$对的波长为$\lambda_i$，训练长度为$L$：
比$L/\text{high}$短的波保持$\omega_i$；比$L/\text{low}$长的波变为$\omega_i/s$。
两个边界之间是$(1-\gamma)\,\omega_i/s+\gamma\,\omega_i$，
其中$\gamma$随$L/\lambda_i$线性变化，而且在两个边界处都不跳变。

输入：`omega`形状为`(D/2,)`，弧度/词元；`factor`就是$s$；$0<\text{low}<\text{high}$。
输出：形状为`(D/2,)`。""",
    ),
    signature="llama3_bands(omega, factor=8.0, low=1.0, high=4.0, trained_length=8192) -> (D/2,)",
    points=2,
    difficulty=3,
    minutes=10,
    hints=(
        Text(
            en="Compute the wavelengths first. Which have the longer waves, fast or slow pairs?",
            zh="先算波长。频率高的一头和低的一头，哪头波长更长？",
        ),
        Text(
            en="At the wavelength L/high the blend must be ω, so γ = 1 there; at L/low γ = 0. What "
            "is L/λ at the two?",
            zh="波长为L/high时，混合的结果应是ω，所以那里γ = 1；波长为L/low时γ = 0。"
            "这两处的L/λ各是多少？",
        ),
        Text(
            en="So γ = (L/λ - low)/(high - low). Two `torch.where` make three bands of it; or "
            "clamp γ, and see that one formula gives all three.",
            zh="所以γ = (L/λ - low)/(high - low)。用两次`torch.where`就有三段；也可以把γ截断，"
            "看看一个公式怎样包含三段。",
        ),
    ),
)


def _answer_with(share: Function) -> Function:
    def answer(
        omega: Tensor,
        factor: float = 8.0,
        low: float = 1.0,
        high: float = 4.0,
        trained_length: float = 8192,
    ) -> Tensor:
        gamma = share(trained_length * omega / (2 * math.pi), low, high)
        return (1 - gamma) * omega / factor + gamma * omega

    return answer


exercise.truth(_answer_with(ramp))


@exercise.check(en="one frequency for every pair", zh="每一对一个频率")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dim in (128, 2, 6):
        expect_shape(answer(frequencies(dim, base=500000.0)), (dim // 2,))


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
    truth = exercise.true_answer
    # a short length first: its middle band is fast, so that wrong answers differ visibly
    for shortest, longest in ((200, 400), (1000, 16_000)):
        factor, low, width = (1.5 + 5 * torch.rand(3, generator=rng)).tolist()
        length = int(torch.randint(shortest, longest, (), generator=rng))
        arguments = (3 * factor, low, low + 3 * width, length)
        expect_agreement(answer, truth, omega, *arguments, rtol=1e-4, atol=0.0)
    expect_agreement(answer, truth, omega, rtol=1e-4, atol=0.0)


WRONG_RAMPS.name_in(exercise, _answer_with)


@exercise.misconception(
    en="Every pair comes out as it was. Do you compare ω with L/high? It is the wavelength 2π/ω "
    "that is long or short.",
    zh="每一对都原样不变。你是不是拿ω去和L/high比了？有长短之分的是波长2π/ω。",
)
def unscaled(omega: Tensor, *arguments: float) -> Tensor:
    return omega.clone()


@exercise.misconception(
    en="Long waves are multiplied by the factor; they must be divided, so that they turn more "
    "slowly.",
    zh="长波乘了factor，应该除，让它们转得更慢。",
)
def multiplied(omega: Tensor, factor: float = 8.0, *arguments: float) -> Tensor:
    return _answer_with(ramp)(omega, 1 / factor, *arguments)


@exercise.misconception(
    en="All frequencies are divided: that is plain position interpolation.",
    zh="所有频率都除了：这就是普通的位置插值。",
)
def interpolated(omega: Tensor, factor: float = 8.0, *arguments: float) -> Tensor:
    return omega / factor


@exercise.misconception(
    en="You blended the wavelengths, not the frequencies: 1/((1 - γ)·s + γ) is a different curve "
    "between the same ends.",
    zh="你混合的是波长，不是频率：1/((1 - γ)·s + γ)两端相同，中间是另一条曲线。",
)
def blended_wavelengths(
    omega: Tensor,
    factor: float = 8.0,
    low: float = 1.0,
    high: float = 4.0,
    trained_length: float = 8192,
) -> Tensor:
    gamma = ramp(trained_length * omega / (2 * math.pi), low, high)
    return omega / ((1 - gamma) * factor + gamma)


@exercise.misconception(
    en="The bands of Llama 3.1, 1, 4 and 8192, are written into the formula: other models have "
    "different ones. Use the arguments.",
    zh="公式里把Llama 3.1的1、4、8192写死了：别的模型频段不同。请用参数。",
)
def fixed_bands(omega: Tensor, factor: float = 8.0, *bands: float) -> Tensor:
    return _answer_with(ramp)(omega, factor)


@exercise.misconception(
    en="`low` and `high` are not used: 1 and 4, those of Llama 3.1, are written into the formula. "
    "Another model draws its borders elsewhere.",
    zh="没用到`low`和`high`：公式里写死了Llama 3.1的1和4。别的模型，边界在别处。",
)
def fixed_borders(
    omega: Tensor,
    factor: float = 8.0,
    low: float = 1.0,
    high: float = 4.0,
    trained_length: float = 8192,
) -> Tensor:
    return _answer_with(ramp)(omega, factor, trained_length=trained_length)


@exercise.misconception(
    en="The trained length 8192 is written into the formula. It is an argument: another model was "
    "trained with a different length.",
    zh="公式里把训练长度8192写死了。它是参数：别的模型训练长度不同。",
)
def fixed_length(
    omega: Tensor, factor: float = 8.0, low: float = 1.0, high: float = 4.0, *length: float
) -> Tensor:
    return _answer_with(ramp)(omega, factor, low, high)
