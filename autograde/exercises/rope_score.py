"""Exercise rope_score: the score of a query and a key at every distance, without rotating."""

import torch
from torch import Tensor

from autograde.exercises._wrong_frequencies import WRONG_FREQUENCIES
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="rope_score",
    chapter="05_rope",
    title=Text(
        en="The score at every distance, without rotating", zh="不旋转，算出任何距离上的得分"
    ),
    task=Text(
        en=r"""For one query and one key, neither of them rotated, return the dot product
$s(r)=q^\top R_rk$ that RoPE gives at each distance $r=n-m$ (key minus query), without rotating
anything. Neighbours $(2i,2i+1)$ are pair $i$, with $\omega_i=\text{base}^{-2i/D}$.

Take one pair first: multiply out, and sort the products into those that meet $\cos r\omega_i$ and
those that meet $\sin r\omega_i$.

In: `q`, `k` of shape `(D,)`, float64; `distances` of shape `(N,)`, integers or floats. Out: shape
`(N,)`, not divided by $\sqrt D$.""",
        zh=r"""给定一个查询和一个键，都未旋转。对每个距离$r=n-m$（键减查询），返回RoPE给出的点积
$s(r)=q^\top R_rk$，但不要真的去旋转。相邻两个通道$(2i,2i+1)$是第$i$对，
$\omega_i=\text{base}^{-2i/D}$。

先看一对：乘开，再把各个乘积分成两组，一组乘$\cos r\omega_i$，一组乘$\sin r\omega_i$。

输入：`q`、`k`形状为`(D,)`，float64；`distances`形状为`(N,)`，整数或浮点数。
输出：形状`(N,)`，不除以$\sqrt D$。""",
    ),
    signature="rope_score(q, k, distances, base=10000.0) -> (N,)",
    points=3,
    difficulty=3,
    minutes=15,
    hints=(
        Text(
            en="Turn the key of one pair by α = rω: (k₀ cos α − k₁ sin α, k₀ sin α + k₁ cos α). "
            "Its dot product with (q₀, q₁) has four terms. Which of them meet the cosine?",
            zh="把一对里的键转α = rω：(k₀ cos α − k₁ sin α, k₀ sin α + k₁ cos α)。"
            "它与(q₀, q₁)的点积有四项，哪几项乘的是余弦？",
        ),
        Text(
            en="The cosine meets the dot product of the pair, q₀k₀ + q₁k₁; the sine meets minus "
            "its cross product, q₀k₁ − q₁k₀. Both have shape (D/2,) and do not depend on the "
            "distance.",
            zh="余弦乘的是这一对的点积q₀k₀ + q₁k₁；正弦乘的是负的叉积，叉积为q₀k₁ − q₁k₀。"
            "两者的形状都是(D/2,)，与距离无关。",
        ),
        Text(
            en="`angles = distances[:, None] * omega` has shape (N, D/2). Multiply the dot "
            "products by its cosine and the cross products by its sine, in that shape, and sum "
            "over the pairs at the end.",
            zh="`angles = distances[:, None] * omega`形状为(N, D/2)。点积乘它的余弦，"
            "叉积乘它的正弦，都在这个形状下，最后再对各对求和。",
        ),
    ),
)


@exercise.truth
def rotated_key(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    query, key = (torch.complex(x[0::2], x[1::2]) for x in (q, k))
    angles = distances.double()[:, None] * frequencies(q.shape[-1], base=base)
    turned = key * torch.polar(torch.ones_like(angles), angles)  # (N, D/2)
    return (query.conj() * turned).real.sum(-1)


def _vectors(rng: torch.Generator, dim: int) -> Tensor:
    return torch.randn(2, dim, generator=rng, dtype=torch.float64)


@exercise.check(en="one number for each distance", zh="每个距离一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dim, distances in ((8, 5), (2, 3), (6, 1), (2, 1)):
        expect_shape(answer(*_vectors(rng, dim), torch.arange(distances)), (distances,))


@exercise.check(en="at distance 0 it is q · k", zh="距离为0时就是q · k")
def zero(answer: Function, rng: torch.Generator) -> None:
    q, k = _vectors(rng, 8)
    expect_close(answer(q, k, torch.zeros(1)), (q @ k)[None], atol=1e-4)


@exercise.check(
    en="equals the dot product of the rotated vectors, ahead and behind",
    zh="等于旋转后两个向量的点积，键在之前、之后都对",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for distances, furthest, base in ((6, 5, 80), (1, 900, 600_000), (120, 900, 600_000)):
        r = torch.randint(-4 * furthest, 4 * furthest, (distances,), generator=rng) / 4
        r[0], r[-1] = 1.0, -1.0  # ahead and behind
        dim = 2 * int(torch.randint(3, 12, (), generator=rng))
        base = float(torch.randint(20, base, (), generator=rng))
        for at in (r, r.round().long()):
            q, k = _vectors(rng, dim)
            expect_agreement(answer, exercise.true_answer, q, k, at, base, atol=2e-3)
    expect_agreement(answer, exercise.true_answer, *_vectors(rng, 8), r, atol=2e-3)


def _parts(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    dot = q[0::2] * k[0::2] + q[1::2] * k[1::2]
    return dot, q[0::2] * k[1::2] - q[1::2] * k[0::2]


def _angles(q: Tensor, distances: Tensor, base: float) -> Tensor:
    return torch.outer(distances.double(), frequencies(len(q), base=base))


@exercise.misconception(
    en="The sine part has the wrong sign: this is the score at distance −r, as if the past were "
    "the future.",
    zh="正弦那部分的符号反了：这是距离为−r时的得分，过去和未来对调了。",
)
def mirrored(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    (dot, cross), angles = _parts(q, k), _angles(q, distances, base)
    return (dot * angles.cos() + cross * angles.sin()).sum(-1)


@exercise.misconception(
    en="Only the cosine part is there. Then distances r and −r give the same score: without the "
    "cross product a head cannot tell ahead from behind.",
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
    return rotated_key(q * torch.tensor([1.0, -1.0]).repeat(q.shape[-1] // 2), k, distances, base)


@exercise.misconception(
    en="The sign of the distance was dropped: a key ahead and a key behind get the same score.",
    zh="你丢掉了距离的正负号：前面的键和后面的键得分成了一样。",
)
def without_sign(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    return rotated_key(q, k, distances.abs(), base)


@exercise.misconception(
    en="The pairs are not added up: a score is one number for each distance, the sum over all D/2 "
    "pairs.",
    zh="没有对各对求和：每个距离的得分只有一个数，是全部D/2对之和。",
)
def not_summed(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    (dot, cross), angles = _parts(q, k), _angles(q, distances, base)
    return dot * angles.cos() - cross * angles.sin()


@exercise.misconception(
    en="The pairs are those of the half-split layout, i with i + D/2. Here neighbours are paired.",
    zh="你按前后半排布配对了（i与i + D/2）。这里是相邻两个为一对。",
)
def half_split(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    q, k = (torch.stack(x.chunk(2), dim=-1).flatten() for x in (q, k))
    return rotated_key(q, k, distances, base)


@exercise.misconception(
    en="You summed along the wrong axis: axis 0 is that of the distances. Sum over the pairs, the "
    "last axis, and one number is left for each distance.",
    zh="求和沿错了轴：第0轴是距离。要沿最后一个轴对各对求和，每个距离留下一个数。",
)
def summed_over_distances(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    return not_summed(q, k, distances, base).sum(0)


@exercise.misconception(
    en="Brackets are missing: the cosine meets q₁k₁ alone and the sine q₁k₀ alone. It is (q₀k₀ + "
    "q₁k₁) cos − (q₀k₁ − q₁k₀) sin.",
    zh="少了括号：余弦只乘了q₁k₁，正弦只乘了q₁k₀。应为(q₀k₀ + q₁k₁) cos − (q₀k₁ − q₁k₀) sin。",
)
def without_brackets(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    angles, (q0, q1, k0, k1) = _angles(q, distances, base), (q[::2], q[1::2], k[::2], k[1::2])
    return (q0 * k0 + q1 * k1 * angles.cos() - q0 * k1 - q1 * k0 * angles.sin()).sum(-1)


def _answer_with(frequencies: Function) -> Function:
    def answer(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
        dot, cross = _parts(q, k)
        angles = torch.outer(distances.double(), frequencies(len(q), base))
        return (dot * angles.cos() - cross * angles.sin()).sum(-1)

    return answer


WRONG_FREQUENCIES.name_in(exercise, _answer_with)
