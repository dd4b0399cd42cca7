"""Exercise mend_reversed_ramp: the wrong pairs were interpolated."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="mend_reversed_ramp",
    chapter="06_rope_scaling",
    title=Text(en="Mend: a ramp the wrong way round", zh="修错：方向反了的斜坡"),
    task=Text(
        en=r"""Mend `ramped`: pairs that turn more than 32 times within the trained length $L$ keep
their frequency, those that turn less than once are divided by $s$, those between are blended
linearly in the number of turns.

In: `omega` of shape `(D/2,)`, `factor` is $s$, `trained_length` is $L$. Out: shape `(D/2,)`.""",
        zh=r"""修好`ramped`：在训练长度$L$之内转过32圈以上的对保持频率，转不到1圈的除以$s$，
两者之间的按圈数线性混合。

输入：`omega`形状为`(D/2,)`，`factor`就是$s$，`trained_length`就是$L$。输出：形状为`(D/2,)`。""",
    ),
    signature="mend_reversed_ramp(omega, factor, trained_length) -> (D/2,)",
    points=2,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Print the ratio of old to new frequency for the first and the last pair.",
            zh="打印第一对和最后一对的旧频率与新频率之比。",
        ),
        Text(
            en="`kept` is 1 for fast pairs. Which of the two terms should it multiply?",
            zh="快的对`kept`为1。它应当乘在哪一项上？",
        ),
        Text(
            en="`kept * omega + (1 - kept) * omega / factor`.",
            zh="`kept * omega + (1 - kept) * omega / factor`。",
        ),
    ),
)


def _turns(omega: Tensor, trained_length: int) -> Tensor:
    return trained_length * omega / (2 * math.pi)


def _kept(omega: Tensor, trained_length: int) -> Tensor:
    return ((_turns(omega, trained_length) - 1) / 31).clamp(0, 1)


@exercise.check(en="one frequency for every pair", zh="每一对一个频率")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(frequencies(64), 4.0, 2048), (32,))


@exercise.check(
    en="the fastest pair is kept, the slowest divided by s",
    zh="最快的一对不变，最慢的除以s",
    weight=2,
)
def ends(answer: Function, rng: torch.Generator) -> None:
    omega = frequencies(64)
    for factor in (2.0, 16.0):
        got = expect_shape(answer(omega, factor, 2048), (32,))
        want = torch.stack((omega[0], omega[-1] / factor))
        expect_close(got[[0, -1]], want, atol=0.0)


@exercise.check(en="blends linearly in the number of turns", zh="按圈数线性混合", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for dim, length, factor in ((128, 300, 3.0), (64, 2048, 8.0), (128, 4096, 16.0)):
        omega = frequencies(dim)
        kept = _kept(omega, length)
        want = kept * omega + (1 - kept) * omega / factor
        expect_close(answer(omega, factor, length), want, rtol=2e-5, atol=0.0)


@exercise.misconception(
    en="Still the broken version: the fast pairs are divided, the slow ones run past every angle "
    "of training.",
    zh="还是有错的那个版本：快的对被除了，慢的对越过了训练见过的所有角度。",
)
def unchanged(omega: Tensor, factor: float, trained_length: int) -> Tensor:
    kept = _kept(omega, trained_length)
    return kept * omega / factor + (1 - kept) * omega


@exercise.misconception(
    en="Now every pair is divided by s: that is interpolation, and neighbours come s times too "
    "close.",
    zh="现在每一对都除以s：这是位置插值，相邻词元的间隔只剩1/s。",
)
def all_divided(omega: Tensor, factor: float, trained_length: int) -> Tensor:
    return omega / factor


@exercise.misconception(
    en="The ends are right, but frequencies jump at 32 turns: between 1 and 32 turns they must be "
    "blended.",
    zh="两端对了，但频率在32圈处一下子跳了过去：1圈到32圈之间要混合。",
)
def step(omega: Tensor, factor: float, trained_length: int) -> Tensor:
    return torch.where(_turns(omega, trained_length) > 32, omega, omega / factor)


@exercise.misconception(
    en="You blended the wavelengths, not the frequencies: 1/((1 - γ)·s + γ) is another curve "
    "between the same ends.",
    zh="你混合的是波长，不是频率：1/((1 - γ)·s + γ)两端相同，中间是另一条曲线。",
)
def wavelengths(omega: Tensor, factor: float, trained_length: int) -> Tensor:
    kept = _kept(omega, trained_length)
    return omega / ((1 - kept) * factor + kept)


@exercise.misconception(
    en="You turned L/λ into λ/L. That does make slow pairs the divided ones, but by another ramp: "
    "leave the turns as they were and look at what γ is multiplied with.",
    zh="你把L/λ改成了λ/L。被除的确实成了慢的对，斜坡却不是那一条了：圈数不用动，看看γ乘在了谁上面。",
)
def upside_down(omega: Tensor, factor: float, trained_length: int) -> Tensor:
    divided = ((1 / _turns(omega, trained_length) - 1) / 31).clamp(0, 1)
    return divided * omega / factor + (1 - divided) * omega


@exercise.misconception(
    en="(1 - r)/31 is 1/31 at most, so that hardly any pair is divided. The divided share is "
    "1 - γ = (32 - r)/31.",
    zh="(1 - r)/31最多只有1/31，几乎没有哪一对被除。要除的份额是1 - γ = (32 - r)/31。",
)
def only_negated(omega: Tensor, factor: float, trained_length: int) -> Tensor:
    divided = ((1 - _turns(omega, trained_length)) / 31).clamp(0, 1)
    return divided * omega / factor + (1 - divided) * omega


@exercise.misconception(
    en="You flipped the order of the pairs. The ends come out right, the borders land on other "
    "pairs: swap the two terms, not the pairs.",
    zh="你把对的次序倒过来了。两端是对了，边界却落到了别的对上：要换的是那两项，不是对的次序。",
)
def flipped(omega: Tensor, factor: float, trained_length: int) -> Tensor:
    divided = _kept(omega, trained_length).flip(0)
    return divided * omega / factor + (1 - divided) * omega


@exercise.misconception(
    en="Slow pairs are multiplied by s; they must be divided. Yours turn s² times too fast.",
    zh="慢的对乘了s，应该除：你的转得快了s²倍。",
)
def multiplied(omega: Tensor, factor: float, trained_length: int) -> Tensor:
    kept = _kept(omega, trained_length)
    return kept * omega + (1 - kept) * omega * factor
