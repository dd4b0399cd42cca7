"""Exercise rope_pair_angles: how far each pair of channels turns at each position."""

import torch
from torch import Tensor

from autograde.exercises._wrong_frequencies import WRONG_FREQUENCIES
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="rope_pair_angles",
    chapter="05_rope",
    title=Text(en="An angle for every position and pair", zh="每个位置、每一对的角度"),
    task=Text(
        en=r"""Return the angles $m\omega_i$ by which RoPE turns pair $i$ at position $m$, with
$\omega_i=\text{base}^{-2i/D}$ for $i=0,\dots,D/2-1$. They must be right to $10^{-6}$ far away too:
compute in float64.

In: `positions` of shape `(L,)`, integers or floats; `dim` is $D$, even. Out: float64, shape
`(L, dim/2)`, radians.""",
        zh=r"""返回角度$m\omega_i$：在位置$m$，RoPE把第$i$对转过这么多，其中
$\omega_i=\text{base}^{-2i/D}$，$i=0,\dots,D/2-1$。很远的位置也要准确到$10^{-6}$：请用float64计算。

输入：`positions`形状为`(L,)`，整数或浮点数；`dim`就是$D$，为偶数。输出：float64，形状为
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
            en="Make positions float64 as well, and a column of them: (L, 1) times (dim/2,) "
            "broadcasts to (L, dim/2).",
            zh="位置也要转成float64，再变成一列：(L, 1)乘(dim/2,)，广播成(L, dim/2)。",
        ),
    ),
)


@exercise.truth
def outer_product(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return torch.outer(positions.double(), frequencies(dim, base=base))


def _anywhere(rng: torch.Generator, length: int) -> Tensor:
    """Return positions that begin anywhere, jump, repeat, lie between tokens or before 0."""
    return torch.randint(-40, 400, (length,), generator=rng) / 4


@exercise.check(
    en="one angle in float64 for every position and pair",
    zh="每个位置、每一对各一个float64的角度",
)
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, dim in ((5, 8), (3, 2), (1, 6), (1, 2)):
        expect_dtype(
            expect_shape(answer(torch.arange(length), dim), (length, dim // 2)), torch.float64
        )


@exercise.check(en="equals position times frequency", zh="等于位置乘频率", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for length in (6, 1, 110):
        dim = 2 * int(torch.randint(3, 20, (), generator=rng))
        base = float(torch.randint(50, 600_000, (), generator=rng))
        positions = _anywhere(rng, length)
        for at in (positions, positions.round().long()):
            expect_agreement(answer, exercise.true_answer, at, dim, base)
    expect_agreement(answer, exercise.true_answer, positions, 8)


@exercise.check(
    en="is still right to 1e-6 at position 100000", zh="在位置100000处仍准确到1e-6", weight=2
)
def far(answer: Function, rng: torch.Generator) -> None:
    at = torch.randint(4000, 100_000, (2,), generator=rng).tolist()
    between = torch.rand(3, generator=rng, dtype=torch.float64) * 100_000
    for positions in (torch.tensor([*at, 100_000]), between):
        expect_agreement(answer, exercise.true_answer, positions, 64, rtol=0.0, atol=1e-6)


@exercise.misconception(
    en="The formula is right, but in float32: near position 100000 an angle can be off by "
    "thousandths of a radian. Compute in float64, and round the cosine and sine, not the angle.",
    zh="公式对，但用了float32：到位置100000附近，角度会差千分之几弧度。"
    "请用float64计算；要舍入也是舍入余弦和正弦，不是角度。",
)
def single(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return positions.float()[:, None] * base ** (-2 * torch.arange(dim // 2) / dim)


@exercise.misconception(
    en="Each angle is in two columns, one for each channel of a pair: that is how some code "
    "keeps its table. Here every pair has one column, D/2 of them.",
    zh="每个角度占了两列，一对的两个通道各一列：有些代码的表是这样存的。这里每一对只占一列，"
    "共D/2列。",
)
def two_columns_each(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return outer_product(positions, dim, base).repeat(1, 2)


def _answer_with(frequencies: Function) -> Function:
    def answer(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
        return torch.outer(positions.double(), frequencies(dim, base))

    return answer


WRONG_FREQUENCIES.name_in(exercise, _answer_with)


@exercise.misconception(
    en="You reduced the angles to one turn. Cosine and sine would not see it, but what is divided "
    "or compared later does: return the whole angle, however many turns it is.",
    zh="你把角度化到了一圈之内。余弦和正弦看不出来，但之后若要除或比较，就不对了："
    "请返回完整的角度，不管它有多少圈。",
)
def within_one_turn(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return outer_product(positions, dim, base).remainder(2 * torch.pi)
