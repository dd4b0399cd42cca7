"""Exercise mend_mixed_layout: the table of one layout met the rotation of the other."""

import torch
from torch import Tensor

from autograde.exercises._wrong_frequencies import WRONG_FREQUENCIES
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_effect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="mend_mixed_layout",
    chapter="05_rope",
    title=Text(en="Fix: the table of the other layout", zh="改错：另一种排布的表"),
    task=Text(
        en="""Fix `mixed_table`: return the angle of every *channel* so that
`x * angles.cos() + rotate_half(x) * angles.sin()` is a rotation, where `rotate_half` pairs channel
i with i + D/2.

In: `positions` of shape `(L,)`, integers or floats, `dim` even. Out: angles in radians, shape
`(L, dim)`.""",
        zh="""修好`mixed_table`：返回每个*通道*的角度，使
`x * angles.cos() + rotate_half(x) * angles.sin()`是旋转；`rotate_half`把通道i与i + D/2配成一对。

输入：`positions`形状为`(L,)`，整数或浮点数；`dim`为偶数。输出：以弧度为单位的角度，
形状为`(L, dim)`。""",
    ),
    signature="mend_mixed_layout(positions, dim, base=10000.0) -> (L, dim)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="The two channels of a pair need the same angle. Which two columns are a pair here?",
            zh="同一对的两个通道角度要相同。这里哪两列是一对？",
        ),
        Text(
            en="Columns 0 and D/2 are pair 0, columns 1 and D/2 + 1 are pair 1.",
            zh="第0列与第D/2列是第0对，第1列与第D/2 + 1列是第1对。",
        ),
        Text(
            en="So the frequencies come once from ω₀ to the last, and then again from ω₀: repeat "
            "the whole row, not each column.",
            zh="所以频率先从ω₀排到最后一个，再从ω₀排一遍：重复的是整行，不是每一列。",
        ),
    ),
)


@exercise.truth
def by_pair(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return positions[:, None] * frequencies(dim, base=base).repeat(2)


@exercise.check(en="one angle per position and channel", zh="每个位置、每个通道一个角度")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, dim in ((5, 8), (3, 2), (1, 6), (1, 2)):
        expect_shape(answer(torch.arange(length), dim), (length, dim))


@exercise.check(
    en="the rotation keeps the norm of every vector", zh="旋转之后每个向量的范数不变", weight=2
)
def norm(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(6, 16, generator=rng)
    angles = expect_effect(answer(torch.arange(1, 7), 16), (6, 16)).double()
    a, b = x.chunk(2, dim=-1)
    turned = x * angles.cos() + torch.cat((-b, a), dim=-1) * angles.sin()
    expect_close(turned.norm(dim=-1), x.norm(dim=-1))


@exercise.check(
    en="channel i and channel i + D/2 have the angle of pair i",
    zh="通道i与通道i + D/2的角度都是第i对的角度",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for length in (6, 1, 110):
        positions = torch.randint(-16_000, 16_000, (length,), generator=rng) / 4
        dim = 2 * int(torch.randint(3, 12, (), generator=rng))
        base = float(torch.randint(50, 600_000, (), generator=rng))
        for at in (positions, positions.round().long()):
            expect_agreement(answer, exercise.true_answer, at, dim, base)
    expect_agreement(answer, exercise.true_answer, positions, 8)


def _omega(dim: int, base: float) -> Tensor:
    return base ** (-torch.arange(0, dim, 2) / dim)


@exercise.misconception(
    en="Still the broken version: each angle is in two *neighbouring* columns, which belongs "
    "to the interleaved layout.",
    zh="还是有错的那个版本：每个角度放在*相邻*两列，那是交错排布的表。",
)
def unchanged(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return positions[:, None] * _omega(dim, base).repeat_interleave(2)


@exercise.misconception(
    en="Every channel got a frequency of its own. The two members of a pair must share one, or "
    "they do not turn together.",
    zh="每个通道各有各的频率。同一对的两个成员必须共用一个，否则不会一起转。",
)
def own_frequency(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return positions[:, None] * base ** (-torch.arange(dim) / dim)


@exercise.misconception(
    en="The second half runs backwards: pair i is (i, i + D/2), not (i, D - 1 - i).",
    zh="后一半的次序反了：第i对是(i, i + D/2)，不是(i, D - 1 - i)。",
)
def backwards(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    omega = _omega(dim, base)
    return positions[:, None] * torch.cat((omega, omega.flip(0)))


@exercise.misconception(
    en="This is one angle for every *pair*, shape (L, D/2). x and rotate_half(x) have D channels: "
    "each angle is needed in two columns.",
    zh="这是每一*对*一个角度，形状为(L, D/2)。x和rotate_half(x)都有D个通道：每个角度要占两列。",
)
def one_column_each(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return positions[:, None] * _omega(dim, base)


@exercise.misconception(
    en="These are the cosines. The formula of the task takes the cosine and the sine itself: "
    "return the angles.",
    zh="这是余弦。题目的公式自己会取余弦和正弦：返回角度就行。",
)
def cosines(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return by_pair(positions, dim, base).cos()


@exercise.misconception(
    en="The rows are repeated, not the columns: `repeat` takes one count for each axis, and the "
    "channels are the last axis. It is `repeat(1, 2)`.",
    zh="重复的是行，不是列：`repeat`每个轴给一个次数，通道是最后一个轴。应为`repeat(1, 2)`。",
)
def rows_repeated(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return one_column_each(positions, dim, base).repeat(2, 1)


@exercise.misconception(
    en="These are the cosines and sines side by side. The formula of the task takes the cosine "
    "and the sine of every column itself: return the angles.",
    zh="这是并排放着的余弦和正弦。题目的公式会自己对每一列取余弦和正弦：返回角度就行。",
)
def cosines_and_sines(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = positions[:, None] * frequencies(dim, base=base)
    return torch.cat((angles.cos(), angles.sin()), dim=-1)


def _answer_with(frequencies: Function) -> Function:
    def answer(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
        return torch.outer(positions.double(), frequencies(dim, base).repeat(2))

    return answer


WRONG_FREQUENCIES.name_in(exercise, _answer_with)
