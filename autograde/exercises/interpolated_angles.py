"""Exercise interpolated_angles: the angles of RoPE with position interpolation."""

import torch
from torch import Tensor

from autograde.exercises._wrong_frequencies import WRONG_FREQUENCIES
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="interpolated_angles",
    chapter="06_rope_scaling",
    title=Text(en="Position interpolation", zh="位置插值"),
    task=Text(
        en=r"""Return the angles of RoPE when a text $s$ times as long as in training is squeezed
into the trained length: position $p$ gets the angles $(p/s)\,\omega_i$, with
$\omega_i=\text{base}^{-2i/d}$ for $i=0,\dots,d/2-1$.

In: `positions` of shape `(N,)`, integers or floats; `dim` is $d$, even; `factor` is $s\ge1$.
Out: shape `(N, dim/2)`, radians.""",
        zh=r"""文本是训练长度的$s$倍，把它压进训练过的长度之内，返回此时RoPE的角度：位置$p$的角度是
$(p/s)\,\omega_i$，其中$\omega_i=\text{base}^{-2i/d}$，$i=0,\dots,d/2-1$。

输入：`positions`形状为`(N,)`，整数或浮点数；`dim`就是$d$，为偶数；`factor`就是$s\ge1$。
输出：形状为`(N, dim/2)`，单位是弧度。""",
    ),
    signature="interpolated_angles(positions, dim, factor, base=10000.0) -> (N, dim/2)",
    points=2,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="Position s of the long text should get the angles of position 1 in training.",
            zh="长文本的位置s，应当得到训练时位置1的角度。",
        ),
        Text(
            en="Dividing the position by s, or every frequency, gives the same product.",
            zh="位置除以s，或者每个频率除以s，乘积是一样的。",
        ),
        Text(
            en="The rest is rope_pair_angles of chapter 5. Divide with `/`: positions between two "
            "tokens are the point, so nothing is rounded.",
            zh="其余和第5章的rope_pair_angles一样。用普通除法`/`：要的就是落在两个词元之间的位置，"
            "什么都不要取整。",
        ),
    ),
)


def _angles(positions: Tensor, dim: int, base: float) -> Tensor:
    return positions.double()[:, None] * frequencies(dim, base=base)


@exercise.truth
def squeezed_positions(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions / factor, dim, base)


@exercise.check(en="one angle for every position and pair", zh="每个位置、每一对各一个角度")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length, dim in ((5, 8), (3, 2), (1, 6), (1, 2)):
        expect_shape(answer(torch.arange(length), dim, 2.0), (length, dim // 2))


@exercise.check(
    en="position s·p gets the angles that position p had",
    zh="位置s·p得到位置p原来的角度",
    weight=2,
)
def squeezed(answer: Function, rng: torch.Generator) -> None:
    positions = torch.arange(1, 9)
    for factor in (1, int(torch.randint(2, 17, (), generator=rng))):
        got = answer(positions * factor, 16, float(factor))
        expect_close(got, _angles(positions, 16, 10000.0))


@exercise.check(
    en="equals p/s times frequency, between tokens too",
    zh="等于p/s乘频率，落在两个词元之间也一样",
    weight=2,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for length in (6, 1, 110):
        positions = torch.randint(-16_000, 16_000, (length,), generator=rng) / 4
        dim = 2 * int(torch.randint(3, 20, (), generator=rng))
        factor = 1.5 + int(torch.randint(1, 16, (), generator=rng))
        base = float(torch.randint(50, 600_000, (), generator=rng))
        for at in (positions.round().long(), positions):
            expect_agreement(
                answer, exercise.true_answer, at, dim, factor, base, rtol=1e-4, atol=1e-7
            )


@exercise.misconception(
    en="You multiplied by the factor instead of dividing: positions come out s² times as large as "
    "they should be, even further outside of what training showed.",
    zh="你乘了factor，应该除：位置成了应有的s²倍，离训练见过的范围更远了。",
)
def multiplied(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions * factor, dim, base)


@exercise.misconception(
    en="You rounded positions down to whole numbers: s neighbouring tokens now share one position, "
    "and their order is lost.",
    zh="你把位置向下取整了：相邻的s个词元共用一个位置，它们的先后就丢了。",
)
def rounded(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions // factor, dim, base)


@exercise.misconception(
    en="You multiplied the base. That slows every pair but the first, each by a different "
    "amount: it is NTK's idea, not interpolation.",
    zh="你乘的是base。那会让除第一对以外的各对变慢，程度不一：这是NTK的想法，不是插值。",
)
def larger_base(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions, dim, base * factor)


@exercise.misconception(
    en="These are RoPE's own angles: the factor is not used, so late positions keep angles that "
    "training never showed.",
    zh="这是RoPE原来的角度，没用到factor：靠后的位置仍是训练中没出现过的角度。",
)
def unscaled(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions, dim, base)


@exercise.misconception(
    en="You divided twice, the positions and the frequencies: their product is divided by s². One "
    "of the two is enough.",
    zh="多除了一次：位置除以了s，频率也除以了s，乘积就除以了s²。除其中一个就够了。",
)
def twice(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions / factor**2, dim, base)


@exercise.misconception(
    en="The factor was made an integer: 2.5 became 2, and the end of the text stays outside of "
    "what training showed. A stretch need not be whole.",
    zh="你把factor取成了整数：2.5变成了2，文本末尾就仍在训练见过的范围之外。扩展倍数不一定是整数。",
)
def whole_factor(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions / int(factor), dim, base)


@exercise.misconception(
    en="This is NTK-aware scaling: it enlarges the base by s^(d/(d-2)), so that the pairs slow "
    "down by different amounts. Interpolation divides every position by s.",
    zh="这是NTK-aware缩放：它把base乘以s^(d/(d-2))，各对变慢的程度不同。插值是把每个位置都除以s。",
)
def ntk_aware(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions, dim, base * factor ** (dim / (dim - 2)))


@exercise.misconception(
    en="You divided the base. That makes all pairs but the first faster, each by a different "
    "amount; interpolation divides the position.",
    zh="你除的是base。那样除第一对外都变快了，程度不一；插值要除的是位置。",
)
def smaller_base(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions, dim, base / factor)


@exercise.misconception(
    en="The factor is in the exponent, where it makes all pairs but the first faster. Divide "
    "the product p ω by it.",
    zh="factor写进了指数，除第一对外都变快了。应当让乘积p ω除以它。",
)
def factor_in_the_exponent(
    positions: Tensor, dim: int, factor: float, base: float = 10000.0
) -> Tensor:
    return _angles(positions, dim, base ** (1 / factor))


for_each_channel = exercise.misconception(
    en="Every angle is there twice, once for each channel of its pair. The task asks for one for "
    "each pair: d/2 columns.",
    zh="每个角度都出现了两次，一对的两个通道各一次。题目要的是每一对一个：共d/2列。",
)


@for_each_channel
def in_two_halves(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions / factor, dim, base).repeat(1, 2)


@for_each_channel
def side_by_side(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
    return _angles(positions / factor, dim, base).repeat_interleave(2, dim=1)


def _answer_with(frequencies: Function) -> Function:
    def answer(positions: Tensor, dim: int, factor: float, base: float = 10000.0) -> Tensor:
        return torch.outer(positions.double() / factor, frequencies(dim, base))

    return answer


WRONG_FREQUENCIES.name_in(exercise, _answer_with)
