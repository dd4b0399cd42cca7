"""Exercise parts_ramp: how much of its frequency each pair keeps."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="parts_ramp",
    chapter="06_rope_scaling",
    title=Text(en="The ramp of NTK-by-parts", zh="NTK-by-parts的斜坡"),
    task=Text(
        en=r"""Return $\gamma$ of every pair: with $r_i=L\omega_i/2\pi$, the number of turns within
the trained length, $\gamma=0$ for $r<\alpha$, $1$ for $r>\beta$, and linear in $r$ between.

In: `omega` of shape `(D/2,)`, radians per token; `trained_length` is $L$. Out: shape `(D/2,)`.""",
        zh=r"""返回每一对的$\gamma$：设$r_i=L\omega_i/2\pi$为训练长度内转过的圈数，
$r<\alpha$时$\gamma=0$，$r>\beta$时为$1$，两者之间随$r$线性变化。

输入：`omega`形状为`(D/2,)`，弧度/词元；`trained_length`就是$L$。输出：形状为`(D/2,)`。""",
    ),
    signature="parts_ramp(omega, trained_length, alpha=1.0, beta=32.0) -> (D/2,)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="A pair with wavelength λ turns L/λ times. What is λ for a frequency ω?",
            zh="波长为λ的一对转L/λ圈。频率为ω时，λ是多少？",
        ),
        Text(
            en="A straight line that is 0 at α and 1 at β: (r - α)/(β - α). Then cut it off.",
            zh="在α处为0、在β处为1的直线：(r - α)/(β - α)。然后截断。",
        ),
        Text(
            en="`.clamp(0, 1)` cuts both ends at once.",
            zh="`.clamp(0, 1)`一次截断两端。",
        ),
    ),
)


def _turns(omega: Tensor, trained_length: int) -> Tensor:
    return trained_length * omega / (2 * math.pi)


def _ramp(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ((turns - alpha) / (beta - alpha)).clamp(0, 1)


@exercise.check(en="one number for every pair", zh="每一对一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(frequencies(64), 2048), (32,))


@exercise.check(
    en="fast pairs keep all (γ = 1), slow ones nothing (γ = 0)",
    zh="快的对全部保留（γ = 1），慢的一点不留（γ = 0）",
    weight=2,
)
def ends(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(frequencies(64), 2048), (32,))
    expect(
        bool(got[0] == 1),
        f"the fastest pair turns 326 times and has γ = {got[0].item():.4g}, expected 1",
        f"最快的一对转了326圈，γ = {got[0].item():.4g}，应为1",
    )
    expect(
        bool(got[-1] == 0),
        f"the slowest pair turns 0.04 times and has γ = {got[-1].item():.4g}, expected 0",
        f"最慢的一对只转0.04圈，γ = {got[-1].item():.4g}，应为0",
    )


@exercise.check(
    en="is linear in the number of turns between", zh="两者之间随圈数线性变化", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    omega = frequencies(64)
    for length, alpha, beta in ((2048, 1.0, 32.0), (8192, 1.0, 4.0), (300, 2.0, 9.0)):
        want = _ramp(_turns(omega, length), alpha, beta)
        expect_close(answer(omega, length, alpha, beta), want)
    expect_close(answer(omega, 2048), _ramp(_turns(omega, 2048), 1.0, 32.0))


@exercise.misconception(
    en="The ramp is the wrong way round: 1 for slow pairs. γ says how much is *kept*; the fast "
    "ones have shown all their angles and keep them.",
    zh="斜坡反了：慢的对得到1。γ是*保留*多少；快的对早就转遍了所有角度，应当保留。",
)
def backwards(omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0) -> Tensor:
    return 1 - _ramp(_turns(omega, trained_length), alpha, beta)


@exercise.misconception(
    en="2π is missing: Lω is an angle in radians, not a number of turns. Every pair seems to turn "
    "6.28 times as often as it does.",
    zh="少除了2π：Lω是弧度，不是圈数。每一对看起来都转了实际圈数的6.28倍。",
)
def radians(omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0) -> Tensor:
    return _ramp(trained_length * omega, alpha, beta)


@exercise.misconception(
    en="You took λ/L, not L/λ: slow pairs then have the large number.",
    zh="你取的是λ/L，应为L/λ：现在慢的对数值反而大。",
)
def upside_down(
    omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0
) -> Tensor:
    return _ramp(1 / _turns(omega, trained_length), alpha, beta)


@exercise.misconception(
    en="The line is not cut off: γ runs beyond 0 and 1, and the frequencies beyond both ends.",
    zh="直线没有截断：γ超出了0和1，频率也跟着超出两端。",
)
def not_cut(omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0) -> Tensor:
    return (_turns(omega, trained_length) - alpha) / (beta - alpha)


@exercise.misconception(
    en="The line reaches 1 too late: it is 0 at α and must be 1 at β, so divide by β - α, not by "
    "β.",
    zh="直线到1到得太晚：它在α处为0，在β处应为1，所以要除以β - α，不是β。",
)
def over_beta(omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0) -> Tensor:
    return ((_turns(omega, trained_length) - alpha) / beta).clamp(0, 1)


@exercise.misconception(
    en="`alpha` and `beta` are not used: your borders stay at 1 and 32 turns.",
    zh="没用到`alpha`和`beta`：你的边界总是1圈和32圈。",
)
def fixed_borders(
    omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0
) -> Tensor:
    return _ramp(_turns(omega, trained_length), 1.0, 32.0)


@exercise.misconception(
    en="The line starts at 0 turns, r/β: pairs with less than α turns keep a little. It must be 0 "
    "at α: (r - α)/(β - α).",
    zh="直线从0圈就开始了，r/β：转不到α圈的对也保留了一点。它在α处才是0：(r - α)/(β - α)。",
)
def from_zero(omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0) -> Tensor:
    return _ramp(_turns(omega, trained_length), 0.0, beta)


@exercise.misconception(
    en="Your ramp is linear in the wavelength λ. It must be linear in the turns r = L/λ.",
    zh="你的斜坡随波长λ线性变化，应当随圈数r = L/λ线性变化。",
)
def over_wavelengths(
    omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0
) -> Tensor:
    return _ramp(1 / _turns(omega, trained_length), 1 / alpha, 1 / beta)


@exercise.misconception(
    en="There is no ramp: γ jumps from 0 to 1 at α. Between α and β it must rise in a line.",
    zh="没有斜坡：γ在α处一下子从0跳到1。α和β之间要沿直线上升。",
)
def jump(omega: Tensor, trained_length: int, alpha: float = 1.0, beta: float = 32.0) -> Tensor:
    return (_turns(omega, trained_length) > alpha).to(omega.dtype)
