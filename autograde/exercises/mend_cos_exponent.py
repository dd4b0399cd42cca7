"""Exercise mend_cos_exponent: the cosine of a pair was given a frequency of its own."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import sinusoidal

exercise = Exercise(
    id="mend_cos_exponent",
    chapter="02_sinusoidal",
    title=Text(en="Mend: the norm that wanders", zh="修错：飘忽的范数"),
    task=Text(
        en="""Mend `wandering_angles`: return the angle of every channel, before any sine or cosine
is taken. Column 0 holds the angle of the first sine, column 1 that of its cosine, and so on.

In: `positions` of shape `(L,)`, `dim` even. Out: angles in radians, shape `(L, dim)`.""",
        zh="""修好`wandering_angles`：返回每个通道的角度（还没有取正弦、余弦）。
第0列是第一个正弦的角度，第1列是与它配对的余弦的角度，依此类推。

输入：`positions`形状为`(L,)`，`dim`为偶数。输出：以弧度为单位的角度，形状为`(L, dim)`。""",
    ),
    signature="mend_cos_exponent(positions, dim, base=10000.0) -> (L, dim)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Print the angles at position 1. Which columns should be equal?",
            zh="打印位置1处的角度。哪些列应该相等？",
        ),
        Text(
            en="The paper's 2i and 2i+1 name the *columns*; the exponent is 2i/d in both.",
            zh="论文里的2i和2i+1是*列号*；两列的指数都是2i/d。",
        ),
        Text(
            en="`channel // 2 * 2` is the even column of the pair that `channel` belongs to.",
            zh="`channel // 2 * 2`就是`channel`所在那一对的偶数列号。",
        ),
    ),
)


@exercise.check(en="one angle per position and channel", zh="每个位置、每个通道一个角度")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.arange(5), 8), (5, 8))


@exercise.check(
    en="sine and cosine of a pair share their angle", zh="同一对的正弦和余弦共用一个角度", weight=2
)
def pairs_share(answer: Function, rng: torch.Generator) -> None:
    angles = expect_shape(answer(torch.arange(1, 9), 16), (8, 16))
    expect_close(angles[:, 1::2], angles[:, 0::2].detach().clone())
    expect(
        bool((angles != 0).all()),
        "an angle is zero away from position 0",
        "位置不为0，角度却是零",
    )


@exercise.check(
    en="sines and cosines of the angles give the table of the paper",
    zh="对这些角度取正弦和余弦，得到论文中的编码表",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    positions = torch.tensor([0.0, 1.0, 2.5, -3.0, 20.0])
    for dim, base in ((6, 10000.0), (64, 10000.0), (10, 50.0)):
        angles = expect_shape(answer(positions, dim, base), (5, dim)).double()
        want = sinusoidal(positions, dim, base=base)
        table = torch.stack((angles[:, 0::2].sin(), angles[:, 1::2].cos()), dim=-1).flatten(1)
        expect_close(table, want)
    default = answer(positions, 64)
    expect_close(default, answer(positions, 64, 10000.0), rtol=0.0, atol=0.0)


def _angles(positions: Tensor, exponent: Tensor, base: float) -> Tensor:
    return positions[:, None] * base ** (-exponent)


@exercise.misconception(
    en="Still the broken version: every channel has its own exponent c/d. "
    "Sine and cosine of a pair must share one, 2i/d.",
    zh="还是有错的那个版本：每个通道各用各的指数c/d。同一对的正弦和余弦必须共用2i/d。",
)
def unchanged(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, torch.arange(dim) / dim, base)


@exercise.misconception(
    en="Pairs share their angle now, but you lost the factor 2: the exponent is 2i/d, not i/d.",
    zh="同一对已共用角度，但丢了因子2：指数是2i/d，不是i/d。",
)
def no_two(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, torch.arange(dim) // 2 / dim, base)


@exercise.misconception(
    en="You moved the sine to the cosine's exponent (2i+1)/d. The shared one is 2i/d: the first "
    "frequency is 1.",
    zh="你让正弦也用了余弦的指数(2i+1)/d。两者应共用2i/d：第一个频率是1。",
)
def odd_exponent(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, (torch.arange(dim) // 2 * 2 + 1) / dim, base)


@exercise.misconception(
    en="Your pairs are (0, d/2), (1, d/2+1), …: that is the concatenated layout. Here the two "
    "members of a pair are neighbours.",
    zh="你把(0, d/2)、(1, d/2+1)……配成了对，这是前后半排布。这里同一对的两个成员相邻。",
)
def concatenated(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, torch.arange(dim) % (dim // 2) * 2 / dim, base)


@exercise.misconception(
    en="You went one step too far: this is the table. Return the angles, without sine and cosine.",
    zh="多走了一步：这已经是编码表了。请返回角度，不要取正弦和余弦。",
)
def whole_table(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(positions, torch.arange(dim) // 2 * 2 / dim, base)
    return torch.where(torch.arange(dim) % 2 == 0, angles.sin(), angles.cos())


@exercise.misconception(
    en="You put the channel where the formula has the pair: 2c/d. Sine and cosine of pair i share "
    "2i/d, with i = c // 2.",
    zh="公式里是第几对，你用成了通道号：2c/d。第i对的正弦和余弦共用2i/d，i = c // 2。",
)
def channel_as_pair(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, 2 * torch.arange(dim) / dim, base)
