"""Exercise sinusoidal_table: the sinusoidal encoding of any positions, interleaved."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.sinusoidal import sinusoidal

exercise = Exercise(
    id="sinusoidal_table",
    chapter="02_sinusoidal",
    title=Text(en="The table", zh="编码表"),
    task=Text(
        en=r"""Return the table whose row for position $p$ is
$[\sin\omega_0p,\ \cos\omega_0p,\ \sin\omega_1p,\ \cos\omega_1p,\dots]$ with
$\omega_i=\text{base}^{-2i/d}$: sine in the even columns, cosine in the odd ones.

In: `positions` of shape `(L,)`, any numbers (not only 0 to L−1), `dim` even.
Out: shape `(L, dim)`.""",
        zh=r"""返回编码表，位置$p$对应的一行是
$[\sin\omega_0p,\ \cos\omega_0p,\ \sin\omega_1p,\ \cos\omega_1p,\dots]$，其中
$\omega_i=\text{base}^{-2i/d}$：偶数列放正弦，奇数列放余弦。

输入：`positions`形状为`(L,)`，可以是任意数（不一定是0到L−1），`dim`为偶数。
输出：形状为`(L, dim)`。""",
    ),
    signature="sinusoidal_table(positions, dim, base=10000.0) -> (L, dim)",
    points=3,
    difficulty=2,
    minutes=10,
    hints=(
        Text(
            en="First the angles: every position times every frequency, shape `(L, dim/2)`.",
            zh="先算角度：每个位置乘每个频率，形状为`(L, dim/2)`。",
        ),
        Text(
            en="`positions[:, None] * frequencies` broadcasts `(L, 1)` against `(dim/2,)`. "
            "Then sines and cosines must alternate along the last axis.",
            zh="`positions[:, None] * frequencies`会把`(L, 1)`与`(dim/2,)`广播相乘。"
            "然后让正弦和余弦沿最后一个轴交替出现。",
        ),
        Text(
            en="Either fill the columns `0::2` and `1::2` of an empty table, or `torch.stack` both "
            "along a new last axis, `(L, dim/2, 2)`, and flatten the last two.",
            zh="可以先建一张空表，再填`0::2`和`1::2`两组列；也可以用`torch.stack`沿新的最后一个轴叠起两者，"
            "得到`(L, dim/2, 2)`，再把最后两个轴展平。",
        ),
    ),
)


@exercise.truth
def by_reference(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return sinusoidal(positions, dim, base=base)


def _dim(rng: torch.Generator) -> int:
    return 2 * int(torch.randint(3, 20, (), generator=rng))


@exercise.check(en="one row per position, dim columns", zh="每个位置一行，共dim列")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, dim in ((5, 8), (1, 8), (3, 2)):
        expect_shape(answer(torch.arange(length), dim), (length, dim))


@exercise.check(en="row 0 is 0, 1, 0, 1, …", zh="第0行是0、1、0、1……")
def origin(answer: Function, rng: torch.Generator) -> None:
    pairs = _dim(rng) // 2
    row = expect_shape(answer(torch.arange(4), 2 * pairs), (4, 2 * pairs))[0]
    expect_close(row, torch.tensor([0.0, 1.0] * pairs))


@exercise.check(
    en="equals the formula for several lengths and dimensions",
    zh="对多种长度和维度都与公式一致",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    # the small table first: where a mistake makes angles huge, only small ones can be recognised
    for length, dim in ((4, 6), (50, 64), (110, _dim(rng))):
        expect_agreement(answer, by_reference, torch.arange(length), dim, atol=1e-4)


@exercise.check(
    en="uses the positions given (gaps, repeats, fractions, negatives) and the base given",
    zh="使用给定的位置（有间隔、重复、小数、负数）和给定的base",
    weight=3,
)
def any_positions(answer: Function, rng: torch.Generator) -> None:
    for length in (6, 1):
        base = 20.0 + 400 * torch.rand((), generator=rng).item()
        fractions = 30 * torch.rand(length, generator=rng)
        fractions[::2] *= -1
        expect_agreement(answer, by_reference, fractions, _dim(rng), base, atol=1e-4)
        jumps = torch.randint(2, 500, (length,), generator=rng).repeat(2)
        expect_agreement(answer, by_reference, jumps, _dim(rng), atol=2e-4)


@exercise.check(en="every row has norm √(d/2)", zh="每一行的范数都是√(d/2)", weight=2)
def norm(answer: Function, rng: torch.Generator) -> None:
    dim = _dim(rng)
    got = expect_shape(answer(torch.arange(20), dim), (20, dim)).double()
    for p, length in enumerate(got.norm(dim=1).tolist()):
        expect(
            abs(length - math.sqrt(dim / 2)) < 1e-3,
            f"the norm of row {p} is {length:.4g}, expected {math.sqrt(dim / 2):.4g}",
            f"第{p}行的范数是{length:.4g}，应为{math.sqrt(dim / 2):.4g}",
        )


def _interleave(left: Tensor, right: Tensor) -> Tensor:
    return torch.stack((left, right), dim=-1).flatten(-2)


def _angles(positions: Tensor, dim: int, exponent: Tensor, base: float) -> Tensor:
    return positions[:, None] * base ** (exponent / dim)


@exercise.misconception(
    en="You put all sines first and all cosines after: the concatenated layout. The task "
    "wants the interleaved one, sine and cosine in turn. Both exist; a checkpoint fits only one.",
    zh="你先放全部正弦、再放全部余弦，这是拼接排布。题目要的是交错排布，正弦余弦轮流出现。"
    "两种都有人用，但一个checkpoint只配一种。",
)
def concatenated(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(0, dim, 2), base)
    return torch.cat((angles.sin(), angles.cos()), dim=-1)


@exercise.misconception(
    en="Sine and cosine are exchanged: the even columns should hold the sine, so that row 0 "
    "starts 0, 1.",
    zh="正弦和余弦放反了：偶数列放正弦，所以第0行以0、1开头。",
)
def cosine_first(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(0, dim, 2), base)
    return _interleave(angles.cos(), angles.sin())


@exercise.misconception(
    en="The odd columns hold −cos. As a sine with a phase, the cosine is sin(x + π/2); "
    "sin(x − π/2) is its negative, and row 0 then reads 0, −1, 0, −1, …",
    zh="奇数列放的是−cos。把余弦写成带相位的正弦，应是sin(x + π/2)；sin(x − π/2)恰好差一个负号，"
    "第0行就成了0、−1、0、−1……",
)
def cosines_negated(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(0, dim, 2), base)
    return _interleave(angles.sin(), -angles.cos())


@exercise.misconception(
    en="You counted the rows (0, 1, 2, …) instead of using `positions`: wrong as soon as decoding "
    "goes on at position 7 or a batch is padded on the left.",
    zh="你用的是行号0、1、2……而不是传入的`positions`：解码从第7个位置接着算，或批次左侧有填充时，就错了。",
)
def counts_rows(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(torch.arange(len(positions)), dim, -torch.arange(0, dim, 2), base)
    return _interleave(angles.sin(), angles.cos())


@exercise.misconception(
    en="You scaled each row to norm 1. The encoding is not normalised: its norm is √(d/2).",
    zh="你把每一行归一化到了范数1。正弦编码不做归一化，范数是√(d/2)。",
)
def normalised(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(0, dim, 2), base)
    return _interleave(angles.sin(), angles.cos()) / math.sqrt(dim / 2)


@exercise.misconception(
    en="Each cosine has a frequency of its own: you counted columns in the exponent. Columns 2i "
    "and 2i+1 are one pair and share the exponent −2i/d; otherwise the norm wanders, and the dot "
    "product of two rows no longer depends on their distance alone.",
    zh="每个余弦都用了自己的频率：你按列号来算指数了。第2i列和第2i+1列是一对，共用指数−2i/d；"
    "否则范数飘忽不定，两行的点积也不再只取决于距离。",
)
def cosine_exponent(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(dim), base)
    return _interleave(angles[:, 0::2].sin(), angles[:, 1::2].cos())


@exercise.misconception(
    en="The exponent lacks its minus: the frequencies grow, and at d=64 the last clock makes more "
    "than a thousand turns per token. They must fall: base^(−2i/d).",
    zh="指数少了负号：频率越来越大，d=64时最后一只钟每个词元要转一千多圈。频率应逐对变小：base^(−2i/d)。",
)
def plus_sign(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, torch.arange(0, dim, 2), base)
    return _interleave(angles.sin(), angles.cos())


@exercise.misconception(
    en="You doubled the column number: `arange(0, dim, 2)` already is 2i. Half of the columns then "
    "hardly move.",
    zh="你把列号又乘了一次2：`arange(0, dim, 2)`本身就是2i。这样一来，有一半的列几乎不动。",
)
def doubled_index(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -2 * torch.arange(0, dim, 2), base)
    return _interleave(angles.sin(), angles.cos())


@exercise.misconception(
    en="These are tensor2tensor's frequencies, base^(−i/(d/2−1)), as in much code. The task "
    "wants the paper's, base^(−2i/d).",
    zh="这是tensor2tensor的频率base^(−i/(d/2−1))，很多代码里都有。题目要的是论文的base^(−2i/d)。",
)
def tensor2tensor(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    exponent = -torch.arange(dim // 2) * dim / max(dim // 2 - 1, 1)
    angles = _angles(positions, dim, exponent, base)
    return _interleave(angles.sin(), angles.cos())


@exercise.misconception(
    en="Your table has the dtype of `positions`: integers cut every sine and cosine down to −1, 0 "
    "or 1. Make the table of floats.",
    zh="你的表沿用了`positions`的dtype：是整数时，正弦和余弦全被截成−1、0或1。表要用浮点数。",
)
def cut_to_integers(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(0, dim, 2), base)
    return _interleave(angles.sin(), angles.cos()).to(positions.dtype)


@exercise.misconception(
    en="The 2 of the exponent is missing: base^(−i/d) falls to 1/√base only, and no column is slow "
    "enough for long texts.",
    zh="指数里漏了2：base^(−i/d)只降到1/√base，没有一列慢到能用于长文本。",
)
def no_two(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(dim // 2), base)
    return _interleave(angles.sin(), angles.cos())


@exercise.misconception(
    en="Both columns of a pair hold the sine. It takes the cosine as well to tell a wave that goes "
    "up from one that goes down.",
    zh="一对里的两列都放了正弦。要分清波是在上升还是在下降，还需要余弦。",
)
def sines_only(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(0, dim, 2), base)
    return _interleave(angles.sin(), angles.sin())


@exercise.misconception(
    en="Sines and cosines were stacked in front and then reshaped: the first rows hold sines of "
    "several positions, the last ones cosines. Stack along the last axis: `stack(..., "
    "dim=-1).flatten(-2)`.",
    zh="正弦和余弦是沿最前面的轴叠起来再改形状的：前几行全是好几个位置的正弦，后几行全是余弦。"
    "应沿最后一个轴叠：`stack(..., dim=-1).flatten(-2)`。",
)
def rows_mixed(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(0, dim, 2), base)
    return torch.stack((angles.sin(), angles.cos())).reshape(len(positions), dim)


@exercise.misconception(
    en="The angles were converted from degrees to radians. They are radians already: ω₀ = 1 is one "
    "radian per token.",
    zh="你把角度当成度数，换算成了弧度。它本来就是弧度：ω₀ = 1就是每个词元转1弧度。",
)
def degrees(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = torch.deg2rad(_angles(positions, dim, -torch.arange(0, dim, 2), base))
    return _interleave(angles.sin(), angles.cos())


@exercise.misconception(
    en="The angles were converted to degrees, but `sin` and `cos` take radians: ω₀ = 1 "
    "is one radian per token.",
    zh="你把角度换算成了度数，而`sin`和`cos`要的是弧度：ω₀ = 1就是每个词元转1弧度。",
)
def in_degrees(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = torch.rad2deg(_angles(positions, dim, -torch.arange(0, dim, 2), base))
    return _interleave(angles.sin(), angles.cos())


@exercise.misconception(
    en="Both assignments went to the columns `0::2`: the cosines replaced the sines, and the odd "
    "columns are still empty. The cosines belong in `1::2`.",
    zh="两次赋值都写进了`0::2`这组列：余弦盖掉了正弦，奇数列还空着。余弦应放进`1::2`。",
)
def sines_overwritten(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, dim, -torch.arange(0, dim, 2), base)
    return _interleave(angles.cos(), torch.zeros_like(angles))
