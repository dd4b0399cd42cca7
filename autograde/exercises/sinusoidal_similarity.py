"""Exercise sinusoidal_similarity: the dot product of two encodings, from their distance alone."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import frequencies, sinusoidal

exercise = Exercise(
    id="sinusoidal_similarity",
    chapter="02_sinusoidal",
    title=Text(en="Dot product by distance", zh="由距离求点积"),
    task=Text(
        en=r"""Return $s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$ for each distance $k$ in
`distances`, without a position $p$ and without a table: it depends on $k$ alone.

In: `distances` of shape `(K,)`, any numbers; `dim` even. Out: shape `(K,)`.""",
        zh=r"""返回$s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$，$k$取遍`distances`中的每个距离；
不需要位置$p$，也不需要编码表：它只取决于$k$。

输入：`distances`形状为`(K,)`，可以是任意数；`dim`为偶数。输出：形状为`(K,)`。""",
    ),
    signature="sinusoidal_similarity(distances, dim, base=10000.0) -> (K,)",
    points=3,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="What does one pair (sine, cosine) of frequency ω contribute to the dot product?",
            zh="一对频率为ω的（正弦，余弦）给点积贡献多少？",
        ),
        Text(
            en=r"$\sin a\sin b+\cos a\cos b=\cos(a-b)$: the pair contributes $\cos(\omega_ik)$.",
            zh=r"$\sin a\sin b+\cos a\cos b=\cos(a-b)$：这一对贡献$\cos(\omega_ik)$。",
        ),
        Text(
            en="`(distances[:, None] * frequencies).cos()` has shape `(K, dim/2)`; sum its "
            "last axis.",
            zh="`(distances[:, None] * frequencies).cos()`形状为`(K, dim/2)`，对最后一维求和。",
        ),
    ),
)


@exercise.check(en="one number per distance", zh="每个距离一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.arange(7), 8), (7,))
    expect_shape(answer(torch.arange(4), 8), (4,))  # K = dim/2: a sum over the wrong axis fits too


@exercise.check(
    en="at distance 0 it is the squared norm, d/2", zh="距离为0时等于范数的平方，即d/2", weight=2
)
def origin(answer: Function, rng: torch.Generator) -> None:
    expect_close(answer(torch.zeros(1), 64), torch.tensor([32.0]))


@exercise.check(
    en="equals the dot product of two rows of the table, wherever the first one stands",
    zh="等于编码表中两行的点积，无论第一行在哪里",
    weight=4,
)
def from_the_table(answer: Function, rng: torch.Generator) -> None:
    distances = torch.arange(32)
    for start, dim, base in ((0, 64, 10000.0), (17, 64, 10000.0), (5, 10, 50.0)):
        rows = sinusoidal(start + distances, dim, base=base, dtype=torch.float64)
        expect_close(answer(distances, dim, base), rows @ rows[0], atol=1e-4)


@exercise.check(
    en="is the same for k and −k, and right between whole numbers",
    zh="k与−k结果相同，小数距离也正确",
    weight=2,
)
def even(answer: Function, rng: torch.Generator) -> None:
    distances = torch.tensor([-4.0, -0.5, 0.5, 4.0, 12.25])
    want = (distances.double()[:, None] * frequencies(16)).cos().sum(1)
    expect_close(answer(distances, 16), want)
    default = answer(distances, 16)
    expect_close(default, answer(distances, 16, 10000.0), rtol=0.0, atol=0.0)


def _angles(distances: Tensor, dim: int, base: float) -> Tensor:
    return distances[:, None] * base ** (-torch.arange(0, dim, 2) / dim)


@exercise.misconception(
    en="You added sines. sin a sin b + cos a cos b = cos(a − b): the cosines remain.",
    zh="你把正弦加起来了。sin a sin b + cos a cos b = cos(a−b)，留下的是余弦。",
)
def sines(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(distances, dim, base).sin().sum(-1)


@exercise.misconception(
    en="You returned the cosine similarity, divided by the squared norm d/2. Return the dot "
    "product itself.",
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
    zh="你对距离求了和，而不是对频率：用了第0维，应是最后一维。",
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
    en="You wrote 10000 where `base` belongs: right only as long as nobody asks for another base.",
    zh="该写`base`的地方你写死了10000：换一个base就不对了。",
)
def fixed_base(distances: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _angles(distances, dim, 10000.0).cos().sum(-1)
