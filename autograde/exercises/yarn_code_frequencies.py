"""Exercise yarn_code_frequencies: YaRN's ramp over the index of the pair, as in checkpoints."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text
from posenc_ref.sinusoidal import frequencies
from posenc_ref.yarn import yarn

exercise = Exercise(
    id="yarn_code_frequencies",
    chapter="06_rope_scaling",
    title=Text(
        en="YaRN's frequencies, as checkpoints have them", zh="YaRN的频率：checkpoint用的那种"
    ),
    task=Text(
        en=r"""Return the frequencies of YaRN as the published code has them. Their ramp is
linear in the *index* $i$ of the pair. It begins at the index at which a pair would turn 32 times
within the trained length, and ends at the one at which it would turn once. Both are real numbers;
the code rounds them outwards to whole ones. Pairs before the ramp keep
$\omega_i=\text{base}^{-2i/d}$, pairs after it get $\omega_i/s$, and on it the two are blended.
(The code also clamps both ends to $0\dots d-1$; at the lengths here that changes nothing.)

In: `dim` is $d$, even and at least 16; `factor` is $s\ge1$; `trained_length` is $L\ge300$, in
tokens. Out: shape `(dim/2,)`.""",
        zh=r"""返回公开代码里YaRN的频率。它的斜坡随通道对的*编号*$i$线性变化：
起点是在训练长度内恰好转32圈的编号，
终点是恰好转1圈的编号。这两个编号都是实数，代码把它们向外取整。斜坡之前的对保持
$\omega_i=\text{base}^{-2i/d}$，斜坡之后的变为$\omega_i/s$，斜坡上两者混合。
（代码还把两端限制在$0\dots d-1$之内；这里的长度下，这一步什么也不改变。）

输入：`dim`就是$d$，偶数，至少为16；`factor`就是$s\ge1$；`trained_length`就是$L\ge300$，
单位是词元。输出：形状为`(dim/2,)`。""",
    ),
    signature="yarn_code_frequencies(dim, factor, trained_length, base=10000.0) -> (dim/2,)",
    points=3,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Pair i turns Lωᵢ/2π times. Set that equal to 32 and solve for i, as a real number.",
            zh="第i对转Lωᵢ/2π圈。令它等于32，解出i（是个实数）。",
        ),
        Text(
            en="From base^(-2i/d) = 2π·32/L comes i = d·ln(L/(2π·32)) / (2 ln base). With d = 128 "
            "and L = 4096 that is 20.9, and 45.03 for one turn: which whole numbers are they, "
            "rounded outwards?",
            zh="由base^(-2i/d) = 2π·32/L得i = d·ln(L/(2π·32)) / (2 ln base)。d = 128、"
            "L = 4096时为20.9，转1圈时为45.03：向外取整各是多少？",
        ),
        Text(
            en="20 and 46. What a pair loses grows from 0 to 1 between them, in equal steps from "
            "pair to pair; cut it off at both ends.",
            zh="20和46。两者之间，失去的份额从0升到1，逐对等步增加；两端要截断。",
        ),
    ),
)


@exercise.truth
def as_published(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    return yarn(dim, factor, trained_length, base=base, ramp="code")[0]


def _arguments(rng: torch.Generator) -> tuple[int, float, int, float]:
    dim = 2 * int(torch.randint(8, 130, (), generator=rng))
    factor = 8 + 24 * torch.rand((), generator=rng).item()  # not 2π: two mistakes would agree
    length = int(torch.randint(300, 9000, (), generator=rng))
    return dim, factor, length, float(torch.randint(10_000, 600_000, (), generator=rng))


def _expect_true(answer: Function, *arguments: float) -> None:
    want = exercise.true_answer(*arguments)
    expect_close(answer(*arguments), want, rtol=2e-5, atol=0.0)


@exercise.check(en="one frequency for every pair", zh="每一对一个频率")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dim in (64, 16):
        expect_shape(answer(dim, 4.0, 2048), (dim // 2,))


@exercise.check(
    en="fast pairs keep their frequency, slow ones are divided by s",
    zh="高频对频率不变，低频对除以s",
    weight=2,
)
def ends(answer: Function, rng: torch.Generator) -> None:
    _, factor, *_ = _arguments(rng)
    omega = frequencies(128)
    got = expect_shape(answer(128, factor, 4096), (64,))
    expect_close(got[:20], omega[:20], rtol=2e-5, atol=0.0)
    expect_close(got[46:], omega[46:] / factor, rtol=2e-5, atol=0.0)


@exercise.check(
    en="between them in equal steps of the index", zh="两者之间按编号等步变化", weight=4
)
def values(answer: Function, rng: torch.Generator) -> None:
    _, factor, *_ = _arguments(rng)
    # borders 8.66 and 20.70 first: each way to round them gives other ones
    drawn = [_arguments(rng), _arguments(rng)]
    # the last ramp ends at 35, behind the last pair
    for arguments in ((64, factor, 2432), *drawn, (64, 4.0, 2048), (64, 4.0, 131072)):
        _expect_true(answer, *arguments)


def _with_ramp(
    dim: int,
    factor: float,
    trained_length: float,
    base: float,
    *,
    pi: float = math.pi,
    pairs: float = 0.5,
    begin: Callable[[float], float] = math.floor,
    end: Callable[[float], float] = math.ceil,
) -> Tensor:
    """Return how much each pair loses, not cut off: 0 at the first border, 1 at the last."""
    first, last = (
        round_(pairs * dim * math.log(trained_length / (2 * pi * turns)) / math.log(base))
        for turns, round_ in ((32, begin), (1, end))
    )
    return (torch.arange(dim // 2).double() - first) / (last - first)


def _blend(dim: int, factor: float, base: float, lost: Tensor) -> Tensor:
    omega = frequencies(dim, base=base)
    return (1 - lost) * omega + lost * omega / factor


@exercise.misconception(
    en="This is the paper's ramp, linear in the turns. The code's is linear in the index, which "
    "is a logarithm of the turns: in the middle the two differ by a factor of up to three.",
    zh="这是论文的斜坡，随圈数线性变化。代码的随编号线性变化，而编号与圈数的对数成线性关系："
    "中段最多差到三倍。",
)
def ramp_of_the_paper(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> Tensor:
    return yarn(dim, factor, trained_length, base=base, ramp="paper")[0]


@exercise.misconception(
    en="The ends are not rounded: a checkpoint was trained with whole ones, the first "
    "rounded down and the last up.",
    zh="两个边界没有取整：checkpoint是用整数边界训练的，起点向下取整，终点向上取整。",
)
def not_rounded(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base, begin=float, end=float)
    return _blend(dim, factor, base, lost.clamp(0, 1))


@exercise.misconception(
    en="The ends are rounded inwards, up at the beginning and down at the end. Outwards makes "
    "the ramp longer: floor first, ceil last.",
    zh="边界是向内取整的：起点向上，终点向下。向外取整会让斜坡更长：起点floor，终点ceil。",
)
def rounded_inwards(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base, begin=math.ceil, end=math.floor)
    return _blend(dim, factor, base, lost.clamp(0, 1))


@exercise.misconception(
    en="Both ends are rounded down, as `int` or `//` do. The last one goes up: outwards.",
    zh="两个边界都向下取整了，`int`和`//`就是这样。终点应向上取整：向外。",
)
def both_down(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base, end=math.floor)
    return _blend(dim, factor, base, lost.clamp(0, 1))


@exercise.misconception(
    en="Both ends are rounded to the nearest whole number. Outwards means the first down and "
    "the last up, however near the other one is.",
    zh="两个边界都四舍五入了。向外取整是起点向下、终点向上，不管离哪边更近。",
)
def rounded_to_nearest(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base, begin=round, end=round)
    return _blend(dim, factor, base, lost.clamp(0, 1))


@exercise.misconception(
    en="The ramp is the wrong way round: fast pairs, with small indices, are divided, and slow "
    "ones run on past every angle of training.",
    zh="斜坡反了：编号小的高频对被除了，低频对却一路越过训练见过的所有角度。",
)
def backwards(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base)
    return _blend(dim, factor, base, 1 - lost.clamp(0, 1))


@exercise.misconception(
    en="The ramp is not cut off: pairs before it turn faster than in training, pairs after it too "
    "slowly, or backwards.",
    zh="斜坡没有截断：它之前的对转得比训练时还快，之后的对转得太慢，甚至倒转。",
)
def not_cut(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    return _blend(dim, factor, base, _with_ramp(dim, factor, trained_length, base))


@exercise.misconception(
    en="2π is missing: a pair turns Lω/2π times, Lω is its angle. Both ends come too late.",
    zh="少除了2π：一对转Lω/2π圈，Lω是角度。两个边界都太靠后了。",
)
def radians(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base, pi=0.5)
    return _blend(dim, factor, base, lost.clamp(0, 1))


@exercise.misconception(
    en="The index is twice what it should be: ω is base^(-2i/d), so i = d·ln(…) / (2 ln base). "
    "Without the 2 you counted channels, not pairs.",
    zh="编号大了一倍：ω是base^(-2i/d)，所以i = d·ln(…) / (2 ln base)。漏了2，数的就是通道，"
    "不是通道对。",
)
def counted_channels(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base, pairs=1.0)
    return _blend(dim, factor, base, lost.clamp(0, 1))


@exercise.misconception(
    en="You counted the turns within the long text, s·L. The ramp asks what training showed: turns "
    "within `trained_length`.",
    zh="你数的是长文本s·L之内的圈数。斜坡问的是训练中见过什么：`trained_length`之内的圈数。",
)
def turns_of_the_long_text(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> Tensor:
    lost = _with_ramp(dim, factor, factor * trained_length, base)
    return _blend(dim, factor, base, lost.clamp(0, 1))


@exercise.misconception(
    en="There is no ramp: the frequencies drop to 1/s at the first end. Between the two ends they "
    "are blended.",
    zh="没有斜坡：频率在第一个边界处一下子降到1/s。两个边界之间要混合。",
)
def jump(dim: int, factor: float, trained_length: int, base: float = 10000.0) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base)
    return _blend(dim, factor, base, (lost > 0).double())


@exercise.misconception(
    en="You blended the wavelengths, not the frequencies: halfway up the ramp a pair keeps "
    "2/(1 + s) of ω, where it should keep (1 + 1/s)/2. With s = 16 that is 12% in place of 53%.",
    zh="你混合的是波长，不是频率：斜坡中点处只保留了ω的2/(1 + s)，应为(1 + 1/s)/2。"
    "s = 16时，前者是12%，后者是53%。",
)
def blended_wavelengths(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, base).clamp(0, 1)
    return frequencies(dim, base=base) / (1 - lost + lost * factor)


@exercise.misconception(
    en="The ends of the ramp are computed with base 10000, whatever `base` is.",
    zh="不管`base`是多少，你的斜坡两端都按base为10000来算。",
)
def ends_of_base_10000(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> Tensor:
    lost = _with_ramp(dim, factor, trained_length, 10000.0)
    return _blend(dim, factor, base, lost.clamp(0, 1))


@exercise.misconception(
    en="The end of the ramp is cut off at the last pair. It may lie behind it, up to d − 1: then "
    "not even the last pair is divided by the whole factor.",
    zh="你把斜坡的终点限制在了最后一对。终点可以在它之后，最大到d − 1："
    "这时连最后一对也没有除以整个因子。",
)
def end_at_the_last_pair(
    dim: int, factor: float, trained_length: int, base: float = 10000.0
) -> Tensor:
    lost = _with_ramp(
        dim, factor, trained_length, base, end=lambda border: min(math.ceil(border), dim // 2 - 1)
    )
    return _blend(dim, factor, base, lost.clamp(0, 1))
