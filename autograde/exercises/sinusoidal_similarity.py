"""Exercise sinusoidal_similarity: the dot product of two encodings, from their distance alone."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.sinusoidal import sinusoidal

exercise = Exercise(
    id="sinusoidal_similarity",
    chapter="02_sinusoidal",
    title=Text(en="Dot product by distance", zh="由距离求点积"),
    task=Text(
        en=r"""Return $s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$, the dot product of two
sinusoidal encodings, for each distance $k$ in `distances`, without a position $p$ and without a
table: it depends on $k$ alone.

In: `distances` of shape `(K,)`, any numbers; `dim` is the even $d$ and `base` that of the
frequencies $\omega_i=\text{base}^{-2i/d}$. Out: shape `(K,)`.""",
        zh=r"""返回两个正弦位置编码的点积$s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$，
$k$取遍`distances`中的每个距离；不需要位置$p$，也不需要编码表：它只取决于$k$。

输入：`distances`形状为`(K,)`，可以是任意数；`dim`就是偶数$d$；
频率$\omega_i=\text{base}^{-2i/d}$由`base`决定。输出：形状为`(K,)`。""",
    ),
    signature="sinusoidal_similarity(distances, dim, base=10000.0) -> (K,)",
    points=3,
    difficulty=3,
    minutes=10,
    hints=(
        Text(
            en="What does one pair (sine, cosine) of frequency ω contribute to the dot product?",
            zh="一对频率为ω的（正弦，余弦）给点积贡献多少？",
        ),
        Text(
            en="sin a sin b + cos a cos b = cos(a − b), with a = ωp, b = ω(p+k). Does p survive?",
            zh="sin a sin b + cos a cos b = cos(a−b)，其中a = ωp，b = ω(p+k)。p还在吗？",
        ),
        Text(
            en="Every distance meets every frequency, shape `(K, dim/2)`. Over which axis do you "
            "add up?",
            zh="每个距离都要乘每个频率，形状为`(K, dim/2)`。沿哪个轴求和？",
        ),
    ),
)


@exercise.truth
def sum_of_cosines(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return sum((distances.double() * base ** (-2 * i / dim)).cos() for i in range(dim // 2))


def _dim(rng: torch.Generator) -> int:
    return 2 * int(torch.randint(3, 40, (), generator=rng))


@exercise.check(en="one number per distance", zh="每个距离一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for count in (7, 4, 1):  # 4 = dim/2: a sum over the wrong axis fits too
        expect_shape(answer(torch.arange(count), 8), (count,))


@exercise.check(
    en="at distance 0 it is the squared norm, d/2", zh="距离为0时等于范数的平方，即d/2", weight=2
)
def origin(answer: Function, rng: torch.Generator) -> None:
    dim = _dim(rng)
    expect_close(answer(torch.zeros(1), dim), torch.tensor([dim / 2]))


@exercise.check(
    en="equals the dot product of two rows of the table, wherever the first one is",
    zh="等于编码表中两行的点积，无论第一行在哪里",
    weight=4,
)
def from_the_table(answer: Function, rng: torch.Generator) -> None:
    base = 30.0 + 100 * torch.rand((), generator=rng).item()
    start = torch.randint(0, 50, (), generator=rng)
    distances = torch.arange(110)
    rows = sinusoidal(start + distances, 64, dtype=torch.float64)
    expect_close(answer(distances, 64), rows @ rows[0], atol=1e-3)
    dim, jumps = _dim(rng), torch.randint(-30, 30, (9,), generator=rng)
    rows, other = (
        sinusoidal(positions, dim, base=base, dtype=torch.float64)
        for positions in (start.view(1), start + jumps)
    )
    expect_close(answer(jumps, dim, base), (other * rows).sum(1), atol=1e-3)


@exercise.check(
    en="is the same for k and −k, and right between whole numbers",
    zh="k与−k结果相同，小数距离也正确",
    weight=2,
)
def even(answer: Function, rng: torch.Generator) -> None:
    distances = 20 * torch.rand(4, generator=rng)
    for turned in (distances, -distances):
        expect_agreement(answer, sum_of_cosines, turned, _dim(rng), atol=1e-4)


def _angles(distances: Tensor, dim: int, base: float) -> Tensor:
    return distances[:, None] * base ** (-torch.arange(0, dim, 2) / dim)


@exercise.misconception(
    en="You added sines. sin a sin b + cos a cos b = cos(a − b): the cosines remain.",
    zh="你把正弦加起来了。sin a sin b + cos a cos b = cos(a−b)，留下的是余弦。",
)
def sines(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(distances, dim, base).sin().sum(-1)


@exercise.misconception(
    en="You returned the cosine similarity: the dot product is divided by the squared norm, d/2. "
    "Return the dot product itself.",
    zh="你返回的是余弦相似度，多除了范数的平方d/2。这里要的是点积本身。",
)
def cosine_similarity(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(distances, dim, base).cos().mean(-1)


@exercise.misconception(
    en="You counted every pair twice: sine and cosine of a pair together give one cos(ωk), "
    "so there are d/2 terms, not d.",
    zh="每一对你都算了两次：一对里的正弦和余弦合起来只给一个cos(ωk)，共d/2项，而不是d项。",
)
def twice(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return 2 * _angles(distances, dim, base).cos().sum(-1)


@exercise.misconception(
    en="You summed over the distances instead of the frequencies: axis 0 instead of the last one.",
    zh="你对距离求了和，而不是对频率：用了第0轴，应是最后一个轴。",
)
def wrong_axis(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(distances, dim, base).cos().sum(0)


@exercise.misconception(
    en="The frequencies grow: the exponent is −2i/d, not +2i/d.",
    zh="频率在变大：指数应为−2i/d，而不是+2i/d。",
)
def plus_sign(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return (distances[:, None] * base ** (torch.arange(0, dim, 2) / dim)).cos().sum(-1)


@exercise.misconception(
    en="You gave every channel a frequency of its own. Sine and cosine of a pair share one and "
    "together give one cos(ωk): there are d/2 terms, not d.",
    zh="你给每个通道都配了一个频率。同一对的正弦和余弦共用一个，合起来只给一个cos(ωk)：共d/2项，不是d项。",
)
def every_channel(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return (distances[:, None] * base ** (-torch.arange(dim) / dim)).cos().sum(-1)


@exercise.misconception(
    en="You summed the angles and took one cosine. Each pair has a cosine of its own: first the "
    "cosine, then the sum.",
    zh="你先把角度加起来，只取了一次余弦。每一对都有自己的余弦：先取余弦，再求和。",
)
def cosine_of_the_sum(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(distances, dim, base).sum(-1).cos()


@exercise.misconception(
    en="You added the sines of the angles as well. sin a sin b + cos a cos b = cos(a − b): the "
    "cosine of the difference is all that remains.",
    zh="你把角度的正弦也加了进来。sin a sin b + cos a cos b = cos(a − b)：只剩差的余弦。",
)
def sines_as_well(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    angles = _angles(distances, dim, base)
    return (angles.sin() + angles.cos()).sum(-1)


@exercise.misconception(
    en="You doubled the column number: `arange(0, dim, 2)` already is 2i. Half of the waves then "
    "hardly move, and the sum falls too slowly.",
    zh="你把列号又乘了2：`arange(0, dim, 2)`本身就是2i。这样有一半的波几乎不动，"
    "加起来的总和就下降得太慢。",
)
def doubled_index(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return (distances[:, None] * base ** (-2 * torch.arange(0, dim, 2) / dim)).cos().sum(-1)


@exercise.misconception(
    en="Your frequencies have the dtype of `distances`. Of integers 1, 0, 0, … is left, and only "
    "the first pair turns: frequencies are floats, and so is their product with integers.",
    zh="你的频率沿用了`distances`的dtype。是整数时只剩下1、0、0……，除第一对外都不转："
    "频率要用浮点数，它与整数相乘，结果也是浮点数。",
)
def frequencies_cut_to_integers(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    omega = (base ** (-torch.arange(0, dim, 2) / dim)).to(distances.dtype)
    return (distances[:, None] * omega).cos().sum(-1)
