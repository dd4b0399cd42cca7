"""Wrong ramps between two numbers of turns: mistakes that three exercises of chapter 6 share."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from bilingual import Text

Ramp = Callable[[Tensor, float, float], Tensor]  # turns, α, β → γ, how much of ω a pair keeps
WRONG: list[tuple[Ramp, Text]] = []


def ramp(turns: Tensor, alpha: float, beta: float) -> Tensor:
    """Return the right one: 0 up to α turns, 1 from β on, a line between."""
    return ((turns - alpha) / (beta - alpha)).clamp(0, 1)


def name_wrong_ramps(exercise: Exercise, answer_with: Callable[[Ramp], Function]) -> None:
    """Add a misconception for each wrong ramp; `answer_with` makes an answer that has this ramp."""
    for wrong, sentence in WRONG:
        answer = answer_with(wrong)
        answer.__name__ = wrong.__name__
        exercise.misconception(en=sentence.en, zh=sentence.zh)(answer)


def _wrong(en: str, zh: str) -> Callable[[Ramp], Ramp]:
    def add(wrong: Ramp) -> Ramp:
        WRONG.append((wrong, Text(en=en, zh=zh)))
        return wrong

    return add


@_wrong(
    en="The ramp is the wrong way round: fast pairs are slowed down, slow ones run on past every "
    "angle of training. A pair with many turns has seen its whole circle, and keeps its ω.",
    zh="斜坡反了：快的对被放慢，慢的对却一路越过训练见过的所有角度。转过许多圈的对早就见过整个圆，"
    "应当保留自己的ω。",
)
def backwards(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return 1 - ramp(turns, alpha, beta)


@_wrong(
    en="The ends are right, but between them the line falls: there the shares of ω and ω/s are "
    "exchanged.",
    zh="两端对了，中间的直线却往下走：那里ω和ω/s的份额弄反了。",
)
def falling_between(turns: Tensor, alpha: float, beta: float) -> Tensor:
    right = ramp(turns, alpha, beta)
    return torch.where((right > 0) & (right < 1), 1 - right, right)


@_wrong(
    en="The middle is right, but the two ends are exchanged: slow pairs keep their ω and fast ones "
    "are slowed down. A *long* wave is a *slow* pair, with few turns.",
    zh="中间对了，两头却换了：慢的对保留了ω，快的对反而被放慢。波*长*的对转得*慢*，圈数少。",
)
def ends_exchanged(turns: Tensor, alpha: float, beta: float) -> Tensor:
    right = ramp(turns, alpha, beta)
    return torch.where((right > 0) & (right < 1), right, 1 - right)


@_wrong(
    en="2π is missing: Lω is an angle in radians, not a number of turns (nor is 1/ω a wavelength). "
    "Every pair seems to turn 6.28 times as often as it does.",
    zh="少除了2π：Lω是弧度，不是圈数（1/ω也不是波长）。每一对看起来都转了实际圈数的6.28倍。",
)
def radians(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(2 * torch.pi * turns, alpha, beta)


@_wrong(
    en="You took λ/L, not L/λ: slow pairs then have the large number.",
    zh="你取的是λ/L，应为L/λ：现在慢的对数值反而大。",
)
def upside_down(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(1 / turns, alpha, beta)


@_wrong(
    en="The line is not cut off at its ends: γ runs below 0 and above 1, so that slow pairs turn "
    "backwards or too slowly, and fast ones too fast.",
    zh="直线两端都没有截断：γ低于0，也高于1，慢的对会转得太慢甚至倒转，快的对则太快。",
)
def not_cut(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return (turns - alpha) / (beta - alpha)


@_wrong(
    en="The line is cut off above but not below: with less than α turns γ is negative, and the "
    "slow pairs turn too slowly, or backwards.",
    zh="直线上端截断了，下端没有：转不到α圈的对γ为负，会转得太慢，甚至倒转。",
)
def not_cut_below(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return not_cut(turns, alpha, beta).clamp(max=1)


@_wrong(
    en="The line is cut off below but not above: with more than β turns γ exceeds 1, and the fast "
    "pairs turn faster than in training.",
    zh="直线下端截断了，上端没有：超过β圈的对γ大于1，转得比训练时还快。",
)
def not_cut_above(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return not_cut(turns, alpha, beta).clamp(min=0)


@_wrong(
    en="The line reaches 1 too late: it is 0 at α and must be 1 at β, so divide by β - α, not by "
    "β.",
    zh="直线到1到得太晚：它在α处为0，在β处应为1，所以要除以β - α，不是β。",
)
def over_beta(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ((turns - alpha) / beta).clamp(0, 1)


@_wrong(
    en="The line starts at 0 turns, r/β: pairs with less than α turns keep a little. It must be 0 "
    "at α: (r - α)/(β - α).",
    zh="直线从0圈就开始了，r/β：转不到α圈的对也保留了一点。它在α处才是0：(r - α)/(β - α)。",
)
def from_zero(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(turns, 0.0, beta)


@_wrong(
    en="Your ramp is linear in the wavelength λ. It must be linear in the turns r = L/λ.",
    zh="你的斜坡随波长λ线性变化，应当随圈数r = L/λ线性变化。",
)
def over_wavelengths(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(1 / turns, 1 / alpha, 1 / beta)


@_wrong(
    en="Your ramp is linear in the logarithm of the turns, as the one over the index of the pair "
    "is. It must be linear in the turns r themselves.",
    zh="你的斜坡随圈数的对数线性变化，沿对的编号走的斜坡就是这样。应当随圈数r本身线性变化。",
)
def over_logarithms(turns: Tensor, alpha: float, beta: float) -> Tensor:
    borders = torch.tensor([alpha, beta]).log().tolist()
    return ramp(turns.log(), *borders)


@_wrong(
    en="There is no ramp: γ jumps from 0 to 1 at α turns. Between α and β it must rise in a line. "
    "(With the borders exchanged it comes to this as well.)",
    zh="没有斜坡：γ在α圈处一下子从0跳到1。α和β之间要沿直线上升。（把两个边界弄反了，也会变成这样。"
    "）",
)
def jump(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return (turns > alpha).to(turns.dtype)


@_wrong(
    en="There is no ramp: γ jumps from 0 to 1 at β turns. Between α and β it must rise in a line.",
    zh="没有斜坡：γ在β圈处一下子从0跳到1。α和β之间要沿直线上升。",
)
def late_jump(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return (turns > beta).to(turns.dtype)
