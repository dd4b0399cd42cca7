"""Exercise rope_score: the score of a query and a key, from their distance alone."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="rope_score",
    chapter="05_rope",
    title=Text(en="The score from the distance alone", zh="只凭距离算得分"),
    task=Text(
        en=r"""For one query and one key, neither of them rotated, return the dot product that RoPE
gives at each distance $r=n-m$ (key minus query), without rotating anything: with neighbours in
pairs,

$$s(r)=\sum_i\bigl[(q_{2i}k_{2i}+q_{2i+1}k_{2i+1})\cos r\omega_i
-(q_{2i}k_{2i+1}-q_{2i+1}k_{2i})\sin r\omega_i\bigr].$$

In: `q`, `k` of shape `(D,)`, float64; `distances` of shape `(N,)`, integers or floats. Out: shape
`(N,)`, not divided by $\sqrt D$.""",
        zh=r"""给定一个查询和一个键，都未旋转。对每个距离$r=n-m$（键减查询），返回RoPE给出的点积，
但不要真的去旋转：相邻两个通道为一对时，

$$s(r)=\sum_i\bigl[(q_{2i}k_{2i}+q_{2i+1}k_{2i+1})\cos r\omega_i
-(q_{2i}k_{2i+1}-q_{2i+1}k_{2i})\sin r\omega_i\bigr].$$

输入：`q`、`k`形状为`(D,)`，float64；`distances`形状为`(N,)`，整数或浮点数。
输出：形状`(N,)`，不除以$\sqrt D$。""",
    ),
    signature="rope_score(q, k, distances, base=10000.0) -> (N,)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="Two numbers describe each pair: its dot product and its cross product. Both have "
            "shape (D/2,) and do not depend on the distance.",
            zh="每一对只需两个数：点积和叉积。它们的形状都是(D/2,)，与距离无关。",
        ),
        Text(
            en="`angles = distances[:, None] * omega` has shape (N, D/2); its cosine times the dot "
            "products, summed over the pairs, is the first part.",
            zh="`angles = distances[:, None] * omega`形状为(N, D/2)；它的余弦乘点积再对各对求和，"
            "就是第一部分。",
        ),
        Text(
            en="`(dot * angles.cos() - cross * angles.sin()).sum(-1)` with "
            "`cross = q[0::2] * k[1::2] - q[1::2] * k[0::2]`.",
            zh="`(dot * angles.cos() - cross * angles.sin()).sum(-1)`，其中"
            "`cross = q[0::2] * k[1::2] - q[1::2] * k[0::2]`。",
        ),
    ),
)


def _score(q: Tensor, k: Tensor, distances: Tensor, base: float) -> Tensor:
    pairs = [torch.view_as_complex(x.double().unflatten(-1, (-1, 2))) for x in (q, k)]
    angles = distances.double()[:, None] * frequencies(q.shape[-1], base=base)
    turned = pairs[1] * torch.polar(torch.ones_like(angles), angles)  # (N, D/2)
    return (pairs[0].conj() * turned).real.sum(-1)


def _vectors(rng: torch.Generator, dim: int) -> Tensor:
    return torch.randn(2, dim, generator=rng, dtype=torch.float64)


@exercise.check(en="one number for each distance", zh="每个距离一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    q, k = _vectors(rng, 8)
    expect_shape(answer(q, k, torch.arange(5)), (5,))


@exercise.check(en="at distance 0 it is q · k", zh="距离为0时就是q · k")
def zero(answer: Function, rng: torch.Generator) -> None:
    q, k = _vectors(rng, 8)
    expect_close(answer(q, k, torch.zeros(1)), (q @ k)[None], atol=1e-4)


@exercise.check(
    en="equals the dot product of the rotated vectors, before and behind",
    zh="等于旋转后两个向量的点积，往前往后都对",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    distances = torch.tensor([0.0, 1.0, -1.0, 7.0, -30.0, 2.5])
    for dim, base in ((2, 10000.0), (8, 10000.0), (10, 50.0)):
        q, k = _vectors(rng, dim)
        expect_close(answer(q, k, distances, base), _score(q, k, distances, base), atol=1e-4)
    q, k = _vectors(rng, 8)
    expect_close(answer(q, k, distances), _score(q, k, distances, 10000.0), atol=1e-4)


def _parts(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    dot = q[0::2] * k[0::2] + q[1::2] * k[1::2]
    return dot, q[0::2] * k[1::2] - q[1::2] * k[0::2]


def _angles(q: Tensor, distances: Tensor, base: float) -> Tensor:
    return distances[:, None] * base ** (-torch.arange(0, q.shape[-1], 2) / q.shape[-1])


@exercise.misconception(
    en="The sine part has the wrong sign: this is the score at distance −r, as if the past were "
    "the future.",
    zh="正弦那部分的符号反了：这是距离为−r时的得分，过去和未来对调了。",
)
def mirrored(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    (dot, cross), angles = _parts(q, k), _angles(q, distances, base)
    return (dot * angles.cos() + cross * angles.sin()).sum(-1)


@exercise.misconception(
    en="Only the cosine part is there. Then distance r and −r give the same score: without the "
    "cross product a head cannot tell before from behind.",
    zh="只有余弦那部分。这样r与−r得分相同：没有叉积，一个头就分不清前后。",
)
def no_cross(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    return (_parts(q, k)[0] * _angles(q, distances, base).cos()).sum(-1)


@exercise.misconception(
    en="The cross product has a plus: it is q₀k₁ − q₁k₀. With the plus, a vector has a non-zero "
    "cross product with itself.",
    zh="叉积里写成了加号：应为q₀k₁ − q₁k₀。写成加号，一个向量与它自己的叉积就不为零了。",
)
def cross_with_plus(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    angles, cross = _angles(q, distances, base), q[0::2] * k[1::2] + q[1::2] * k[0::2]
    return (_parts(q, k)[0] * angles.cos() - cross * angles.sin()).sum(-1)


@exercise.misconception(
    en="The dot product has a minus, as when two complex numbers are multiplied without the "
    "conjugate of the first. It is q₀k₀ + q₁k₁, the real part of q̄k.",
    zh="点积里写成了减号，就像两个复数相乘时忘了对第一个取共轭。应为q₀k₀ + q₁k₁，即q̄k的实部。",
)
def no_conjugate(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    return _score(q * torch.tensor([1.0, -1.0]).repeat(q.shape[-1] // 2), k, distances, base)


@exercise.misconception(
    en="The sign of the distance was dropped: a key ahead and a key behind get the same score.",
    zh="你丢掉了距离的正负号：前面的键和后面的键得分成了一样。",
)
def without_sign(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    return _score(q, k, distances.abs(), base)


@exercise.misconception(
    en="The exponent of the frequencies is twice too large: it is -2i/D, and "
    "`torch.arange(0, D, 2)` already is 2i.",
    zh="频率的指数大了一倍：应为-2i/D，而`torch.arange(0, D, 2)`已经是2i。",
)
def two_twice(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    return _score(q, k, distances, base**2)


@exercise.misconception(
    en="You divided by √D. Attention does that later; here the plain dot product is asked.",
    zh="你除以了√D。那是后面注意力里的事，这里要的是点积本身。",
)
def scaled(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    return _score(q, k, distances, base) / q.shape[-1] ** 0.5


@exercise.misconception(
    en="The pairs are those of the half-split layout, i with i + D/2. Here neighbours are paired.",
    zh="你按前后半排布配对了（i与i + D/2）。这里是相邻两个为一对。",
)
def half_split(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    q, k = (torch.stack(x.chunk(2), dim=-1).flatten() for x in (q, k))
    return _score(q, k, distances, base)
