"""Exercise rope_pair_angles: how far each pair of channels turns at each position."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="rope_pair_angles",
    chapter="05_rope",
    title=Text(en="An angle for every position and pair", zh="每个位置、每一对的角度"),
    task=Text(
        en=r"""Return the angles $m\omega_i$ by which RoPE turns pair $i$ at position $m$, with
$\omega_i=\text{base}^{-2i/d}$ for $i=0,\dots,d/2-1$. They must be right to $10^{-6}$ far away too:
compute in float64.

In: `positions` of shape `(L,)`, integers or floats; `dim` is $d$, even. Out: float64, shape
`(L, dim/2)`, radians.""",
        zh=r"""返回角度$m\omega_i$：在位置$m$，RoPE把第$i$对转过这么多，其中
$\omega_i=\text{base}^{-2i/d}$，$i=0,\dots,d/2-1$。很远的位置也要准确到$10^{-6}$：请用float64计算。

输入：`positions`形状为`(L,)`，整数或浮点数；`dim`就是$d$，为偶数。输出：float64，形状为
`(L, dim/2)`，单位是弧度。""",
    ),
    signature="rope_pair_angles(positions, dim, base=10000.0) -> (L, dim/2)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="The frequencies are those of chapter 2. What is the outer product of positions "
            "and frequencies?",
            zh="频率和第2章的一样。位置与频率的外积是什么？",
        ),
        Text(
            en="`torch.arange(dim // 2, dtype=torch.float64)` makes everything that follows "
            "float64.",
            zh="用`torch.arange(dim // 2, dtype=torch.float64)`，后面的计算就全是float64。",
        ),
        Text(
            en="`positions.double()[:, None] * base ** (-2 * i / dim)` has shape (L, dim/2).",
            zh="`positions.double()[:, None] * base ** (-2 * i / dim)`，形状就是(L, dim/2)。",
        ),
    ),
)


@exercise.check(en="one angle for every position and pair", zh="每个位置、每一对各一个角度")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.arange(5), 8), (5, 4))
    expect_shape(answer(torch.arange(3), 2), (3, 1))


@exercise.check(en="equals position times frequency", zh="等于位置乘频率", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    positions = torch.tensor([0.0, 1.0, 2.5, -3.0, 20.0])
    for dim, base in ((8, 10000.0), (6, 100.0)):
        want = positions.double()[:, None] * frequencies(dim, base=base)
        expect_close(answer(positions, dim, base), want)
    expect_close(answer(positions, 8), answer(positions, 8, 10000.0), rtol=0.0, atol=0.0)


@exercise.check(
    en="is still right to 1e-6 at position 100000", zh="在位置100000处仍准确到1e-6", weight=2
)
def far(answer: Function, rng: torch.Generator) -> None:
    positions = torch.tensor([4095, 99999, 100000])
    want = positions.double()[:, None] * frequencies(64)
    got = expect_shape(answer(positions, 64), (3, 32))
    expect_close(got.double(), want, rtol=0.0, atol=1e-6)


def _angles(positions: Tensor, exponent: Tensor, base: float) -> Tensor:
    return positions.double()[:, None] * base**exponent


@exercise.misconception(
    en="The exponent has the wrong sign: ω must fall from 1, base^(-2i/d). With + the last pair "
    "turns by thousands of radians a token.",
    zh="指数的符号反了：ω应从1往下降，即base^(-2i/d)。写成正号，最后一对每个词元要转几千弧度。",
)
def plus_sign(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, 2 * torch.arange(dim // 2).double() / dim, base)


@exercise.misconception(
    en="The factor 2 is missing: the exponent is -2i/d, so that the last pair comes close to "
    "1/base. Yours stops at its square root.",
    zh="少了因子2：指数是-2i/d，这样最后一对才接近1/base。你的只到它的平方根。",
)
def no_two(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, -torch.arange(dim // 2).double() / dim, base)


@exercise.misconception(
    en="Pairs are counted from 1 in the RoFormer paper, but its exponent is then -2(i-1)/d: the "
    "first pair turns by exactly 1 radian a token.",
    zh="RoFormer论文从1开始数，可它的指数是-2(i-1)/d：第一对每个词元恰好转1弧度。",
)
def counted_from_one(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, -2 * torch.arange(1, dim // 2 + 1).double() / dim, base)


@exercise.misconception(
    en="These are tensor2tensor's frequencies, i/(d/2-1) in the exponent. RoPE takes the paper's, "
    "2i/d, and never reaches 1/base.",
    zh="这是tensor2tensor的频率，指数里是i/(d/2-1)。RoPE用的是论文的2i/d，取不到1/base。",
)
def tensor2tensor(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    steps = max(dim // 2 - 1, 1)
    return _angles(positions, -torch.arange(dim // 2).double() / steps, base)


@exercise.misconception(
    en="The exponent is twice too large: it is -2i/d, and `torch.arange(0, dim, 2)` already is 2i. "
    "Your frequencies fall towards 1/base².",
    zh="指数大了一倍：应为-2i/d，而`torch.arange(0, dim, 2)`已经是2i。你的频率一路降向1/base²。",
)
def two_twice(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, -2 * torch.arange(0, dim, 2).double() / dim, base)


@exercise.misconception(
    en="The rows were numbered 0, 1, 2, … instead of read from `positions`, which may start "
    "anywhere, skip, or be fractions.",
    zh="你把各行编成了0、1、2……，没有用`positions`。位置可以从任何地方开始，可以跳过，也可以是小数。",
)
def numbered_rows(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    rows = torch.arange(positions.shape[0])
    return _angles(rows, -2 * torch.arange(dim // 2).double() / dim, base)


@exercise.misconception(
    en="Right formula in float32: near position 100000 an angle is off by thousandths of a radian. "
    "Compute in float64, and round the cosine and sine, not the angle.",
    zh="公式对，但用了float32：到位置100000附近，角度会差千分之几弧度。"
    "请用float64计算；要舍入也是舍入余弦和正弦，不是角度。",
)
def single(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return positions.float()[:, None] * base ** (-2 * torch.arange(dim // 2) / dim)


@exercise.misconception(
    en="10000 is written into the formula: use the argument `base`. Models with 500000 need it.",
    zh="公式里把10000写死了：请用参数`base`。有的模型用500000。",
)
def fixed_base(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(positions, -2 * torch.arange(dim // 2).double() / dim, 10000.0)
