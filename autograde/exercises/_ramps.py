"""Wrong ramps between two numbers of turns: mistakes that three exercises of chapter 6 share."""

import torch
from torch import Tensor

from autograde.exercises._shared_mistakes import SharedMistakes

WRONG_RAMPS = SharedMistakes()  # of turns, α, β, as the right one


def ramp(turns: Tensor, alpha: float, beta: float) -> Tensor:
    """Return γ, how much of ω a pair keeps: 0 up to α turns, 1 from β on, a line between."""
    return ((turns - alpha) / (beta - alpha)).clamp(0, 1)


@WRONG_RAMPS.version(
    en="The ramp is the wrong way round: fast pairs are slowed down, slow ones run on past every "
    "angle of training. A pair with many turns has seen its whole circle, and keeps its ω.",
    zh="斜坡反了：高频对被放慢，低频对却一路越过训练见过的所有角度。转过许多圈的对早就见过整个圆，"
    "应当保留自己的ω。",
)
def backwards(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return 1 - ramp(turns, alpha, beta)


@WRONG_RAMPS.version(
    en="The ends are right, but between them the line falls: there the shares of ω and ω/s are "
    "exchanged.",
    zh="两端对了，中间的直线却往下走：那里ω和ω/s的份额弄反了。",
)
def falling_between(turns: Tensor, alpha: float, beta: float) -> Tensor:
    right = ramp(turns, alpha, beta)
    return torch.where((right > 0) & (right < 1), 1 - right, right)


@WRONG_RAMPS.version(
    en="The middle is right, but the two ends are exchanged: slow pairs keep their ω and fast ones "
    "are slowed down. A *long* wave is a *slow* pair, with few turns.",
    zh="中间对了，两头却换了：低频对保留了ω，高频对反而被放慢。波*长*的对转得*慢*，圈数少。",
)
def ends_exchanged(turns: Tensor, alpha: float, beta: float) -> Tensor:
    right = ramp(turns, alpha, beta)
    return torch.where((right > 0) & (right < 1), right, 1 - right)


@WRONG_RAMPS.version(
    en="2π is missing: Lω is an angle in radians, not a number of turns (nor is 1/ω a wavelength). "
    "Every pair seems to turn 6.28 times as often as it does.",
    zh="少除了2π：Lω是弧度，不是圈数（1/ω也不是波长）。每一对看起来都转了实际圈数的6.28倍。",
)
def radians(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(2 * torch.pi * turns, alpha, beta)


@WRONG_RAMPS.version(
    en="You took λ/L, not L/λ: slow pairs then have the large number.",
    zh="你取的是λ/L，应为L/λ：现在低频对的值反而大。",
)
def upside_down(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(1 / turns, alpha, beta)


@WRONG_RAMPS.version(
    en="The line is not cut off at its ends: γ runs below 0 and above 1, so that slow pairs turn "
    "backwards or too slowly, and fast ones too fast.",
    zh="直线两端都没有截断：γ低于0，也高于1，低频对会转得太慢甚至倒转，高频对则太快。",
)
def not_cut(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return (turns - alpha) / (beta - alpha)


@WRONG_RAMPS.version(
    en="The line is cut off above but not below: with fewer turns than the lower border γ is "
    "negative, and the slow pairs turn too slowly, or backwards.",
    zh="直线上端截断了，下端没有：圈数不到下边界的对γ为负，会转得太慢，甚至倒转。",
)
def not_cut_below(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return not_cut(turns, alpha, beta).clamp(max=1)


@WRONG_RAMPS.version(
    en="The line is cut off below but not above: with more turns than the upper border γ exceeds "
    "1, and the fast pairs turn faster than in training.",
    zh="直线下端截断了，上端没有：圈数超过上边界的对γ大于1，转得比训练时还快。",
)
def not_cut_above(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return not_cut(turns, alpha, beta).clamp(min=0)


@WRONG_RAMPS.version(
    en="The line reaches 1 too late: it is 0 at the lower border and must be 1 at the upper, so "
    "divide by their difference, not by the upper one.",
    zh="直线到1到得太晚：它在下边界处为0，在上边界处应为1，所以要除以两者之差，不是除以上边界。",
)
def over_beta(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ((turns - alpha) / beta).clamp(0, 1)


@WRONG_RAMPS.version(
    en="The line starts at 0 turns, so that pairs below the lower border keep a little. It must "
    "be 0 at that border: subtract it in the numerator and the denominator.",
    zh="直线从0圈就开始了，不到下边界的对也保留了一点。它在下边界处才是0：分子分母都要减去下边界。",
)
def from_zero(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(turns, 0.0, beta)


@WRONG_RAMPS.version(
    en="Your ramp is linear in the wavelength λ. It must be linear in the turns L/λ.",
    zh="你的斜坡随波长λ线性变化，应当随圈数L/λ线性变化。",
)
def over_wavelengths(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(1 / turns, 1 / alpha, 1 / beta)


@WRONG_RAMPS.version(
    en="Your ramp is linear in the logarithm of the turns, as a ramp over the index of the pair "
    "is. It must be linear in the turns L/λ themselves.",
    zh="你的斜坡随圈数的对数线性变化，沿对的编号走的斜坡就是这样。应当随圈数L/λ本身线性变化。",
)
def over_logarithms(turns: Tensor, alpha: float, beta: float) -> Tensor:
    borders = torch.tensor([alpha, beta]).log().tolist()
    return ramp(turns.log(), *borders)


@WRONG_RAMPS.version(
    en="There is no ramp: γ jumps from 0 to 1 at the lower border. Up to the upper one it must "
    "rise in a straight line. (Exchanging the two borders can lead to this as well.)",
    zh="没有斜坡：γ在下边界处一下子从0跳到1。从下边界到上边界要沿直线上升。（把两个边界弄反了，"
    "也可能变成这样。）",
)
def jump(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return (turns > alpha).to(turns.dtype)


@WRONG_RAMPS.version(
    en="There is no ramp: γ jumps from 0 to 1 at the upper border. From the lower one on it must "
    "rise in a straight line. (Exchanging the two borders can lead to this as well.)",
    zh="没有斜坡：γ在上边界处一下子从0跳到1。从下边界起就要沿直线上升。（把两个边界弄反了，"
    "也可能变成这样。）",
)
def late_jump(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return (turns > beta).to(turns.dtype)


@WRONG_RAMPS.version(
    en="`/ 2 * math.pi` divides by 2 and then *multiplies* by π. Put the divisor in brackets, "
    "`/ (2 * math.pi)`; else every pair seems to turn π² times as often.",
    zh="`/ 2 * math.pi`先除以2，再*乘*π。除数要加括号：`/ (2 * math.pi)`，否则每一对看起来都"
    "转了实际圈数的π²倍。",
)
def times_pi(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(torch.pi**2 * turns, alpha, beta)


@WRONG_RAMPS.version(
    en="The turns are divided by β − α, but α was not subtracted from them first: the line rises "
    "above 0 long before α.",
    zh="圈数除以了β − α，却没有先减去α：直线远不到α就已大于0。",
)
def alpha_in_the_divisor_alone(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return (turns / (beta - alpha)).clamp(0, 1)


@WRONG_RAMPS.version(
    en="The turns were rounded to whole ones, so that γ goes up in steps. A pair may turn 7.6 "
    "times: keep the fraction.",
    zh="圈数被取整了，γ成了阶梯。一对可以转7.6圈：小数部分要保留。",
)
def whole_turns(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ramp(turns.floor(), alpha, beta)


def _between(line: Tensor, turns: Tensor, alpha: float, beta: float) -> Tensor:
    """Return the right ramp with `line` in place of its slope, as three cases have it."""
    right = ramp(turns, alpha, beta)
    return torch.where((right > 0) & (right < 1), line, right)


@WRONG_RAMPS.version(
    en="The divisor lacks its brackets: `(r - α) / β - α` divides by β alone and then subtracts α, "
    "so that γ stays 0 up to α + αβ turns. Write `(r - α) / (β - α)`.",
    zh="除数少了括号：`(r - α) / β - α`只除以β，然后再减α，于是γ到α + αβ圈为止都是0。"
    "要写成`(r - α) / (β - α)`。",
)
def bare_divisor(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return ((turns - alpha) / beta - alpha).clamp(0, 1)


@WRONG_RAMPS.version(
    en="The divisor lacks its brackets: `(r - α) / β - α` divides by β alone and then subtracts α, "
    "so that γ jumps to −α at the lower border. Write `(r - α) / (β - α)`.",
    zh="除数少了括号：`(r - α) / β - α`只除以β，然后再减α，于是γ在下边界处一下子跳到−α。"
    "要写成`(r - α) / (β - α)`。",
)
def bare_divisor_between(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return _between((turns - alpha) / beta - alpha, turns, alpha, beta)


@WRONG_RAMPS.version(
    en="The numerator lacks its brackets: `r - α / (β - α)` divides α alone, so that γ goes from 0 "
    "to 1 within a single turn. Write `(r - α) / (β - α)`.",
    zh="被除数少了括号：`r - α / (β - α)`只除了α，于是γ在一圈之内就从0升到1。"
    "要写成`(r - α) / (β - α)`。",
)
def bare_numerator(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return (turns - alpha / (beta - alpha)).clamp(0, 1)


@WRONG_RAMPS.version(
    en="The numerator lacks its brackets: `r - α / (β - α)` divides α alone, so that between the "
    "borders γ rises by 1 with every turn. Write `(r - α) / (β - α)`.",
    zh="被除数少了括号：`r - α / (β - α)`只除了α，于是在两个边界之间，每多转一圈γ就大1。"
    "要写成`(r - α) / (β - α)`。",
)
def bare_numerator_between(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return _between(turns - alpha / (beta - alpha), turns, alpha, beta)


@WRONG_RAMPS.version(
    en="The line starts at 0 turns and is cut off only at the lower border, where γ jumps. It must "
    "be 0 at that border: subtract it in the numerator and the denominator.",
    zh="直线从0圈就开始了，到下边界才截断，γ在那里会跳。它在下边界处应为0：分子分母都要减去下边界。",
)
def from_zero_between(turns: Tensor, alpha: float, beta: float) -> Tensor:
    return _between(turns / beta, turns, alpha, beta)
