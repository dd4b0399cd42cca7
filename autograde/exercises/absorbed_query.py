"""Exercise absorbed_query: a query that reads latents, with RoPE in channels of its own."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape, expect_tensor
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="absorbed_query",
    chapter="08_kv_cache",
    title=Text(en="A query for latents", zh="直接读隐向量的查询"),
    task=Text(
        en=r"""The cache has $C+D_r$ numbers per token: a latent $c$, then a key of $D_r$ channels,
rotated, which all heads share. Head $h$ has the content key $k=W_{UK}^{(h)}c$ of $D$ channels.
Return the queries with which it scores the cache itself: with `cache` `(B, 1, keys, C + Dr)`,
`out @ cache.mT` is the dot product of the contents plus that of the rotated parts, for every token,
not divided by anything.

In: `q` `(B, H, L, D + Dr)`, not rotated, contents first; `key_up` `(H, D, C)`, the
$W_{UK}^{(h)}$; `positions` `(L,)`, the position $p$ of each query; `omega` `(Dr/2,)`. Half-split
layout: of the $D_r$ channels, $i$ and $i+D_r/2$ are a pair and turn by $p\,\omega_i$.
Out: `(B, H, L, C + Dr)`.""",
        zh=r"""缓存里每个词元有$C+D_r$个数：先是隐向量$c$，再是所有头共用的、旋转过的$D_r$个通道的键。
第$h$个头的内容键是$k=W_{UK}^{(h)}c$，有$D$个通道。返回能直接对缓存打分的查询：
设`cache`的形状为`(B, 1, keys, C + Dr)`，对每个词元，`out @ cache.mT`等于内容部分的点积
加上旋转部分的点积，什么都不除。

输入：`q`，形状`(B, H, L, D + Dr)`，未旋转，内容在前；`key_up`，形状`(H, D, C)`，即各个
$W_{UK}^{(h)}$；`positions`，形状`(L,)`，各查询的位置$p$；`omega`，形状`(Dr/2,)`。前后半排布：
$D_r$个通道里，通道$i$与$i+D_r/2$为一对，转$p\,\omega_i$。输出：形状`(B, H, L, C + Dr)`。""",
    ),
    signature="absorbed_query(q, key_up, positions, omega) -> (B, H, L, C + Dr)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="How many channels does omega turn? The rest holds content and does not turn.",
            zh="omega管得到几个通道？其余的是内容，不转。",
        ),
        Text(
            en="q·(W c) = (Wᵀ q)·c: the content of head h meets its own W, and D channels become "
            "C. For row vectors that is q @ W, head by head.",
            zh="q·(W c) = (Wᵀ q)·c：第h个头的内容乘它自己的W，D个通道变成C个。"
            "写成行向量就是逐头的q @ W。",
        ),
        Text(
            en="`q[..., :D] @ key_up` is (B, H, L, C); the last Dr channels turn as in 8.5; "
            "`torch.cat`, latent first.",
            zh="`q[..., :D] @ key_up`的形状是(B, H, L, C)；最后Dr个通道像8.5节那样旋转；"
            "`torch.cat`，隐向量那部分在前。",
        ),
    ),
)


@exercise.truth
def head_by_head(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    content, rotary = _parts(q, omega)
    absorbed = torch.einsum("bhld,hdc->bhlc", content, key_up)
    return torch.cat((absorbed, _turn(rotary, positions, omega)), dim=-1)


def _parts(q: Tensor, omega: Tensor) -> tuple[Tensor, Tensor]:
    """Return the content and the channels that turn."""
    rotated = 2 * len(omega)
    return q[..., :-rotated], q[..., -rotated:]


def _turn(x: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    """Turn (B, H, L, Dr) at positions (L,) as complex numbers."""
    factor = torch.exp(1j * torch.outer(positions.double(), omega.double()))
    turned = torch.complex(*x.double().chunk(2, dim=-1)) * factor
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


SIZES = (  # batch, heads, length, content, rotated, latent
    (2, 3, 5, 6, 4, 8),
    (1, 4, 3, 4, 2, 4),  # D = C: a transposed matrix fits
    (1, 1, 1, 2, 6, 3),
    (2, 2, 70, 8, 8, 8),
    (1, 5, 2, 10, 2, 5),
)


def _draw(rng: torch.Generator, size: tuple[int, ...]) -> tuple[Tensor, ...]:
    batch, heads, length, content, rotated, latent = size
    q = torch.randn(batch, length, heads, content + rotated, generator=rng).transpose(1, 2)
    key_up = torch.randn(heads, content, latent, generator=rng)
    start = 3 if rotated > 2 else 30_000  # far away where ω = 1 alone: such angles are exact
    positions = start + torch.randperm(4 * length + 5, generator=rng)[:length]
    omega = 50.0 ** (-torch.arange(0, rotated, 2) / rotated)
    return q, key_up, positions, omega


def _latents(rng: torch.Generator, inputs: tuple[Tensor, ...]) -> Tensor:
    """Return a cache of six tokens for these inputs, (B, 1, 6, C + Dr)."""
    q, key_up, _, omega = inputs
    return torch.randn(len(q), 1, 6, key_up.shape[2] + 2 * len(omega), generator=rng)


@exercise.check(en="C + Dr channels for each query", zh="每个查询有C + Dr个通道")
def shape(answer: Function, rng: torch.Generator) -> None:
    for size in SIZES:
        batch, heads, length, _, rotated, latent = size
        got = answer(*_draw(rng, size))
        expect_shape(got, (batch, heads, length, latent + rotated))


@exercise.check(en="the content reads latents", zh="内容部分读的是隐向量", weight=3)
def content(answer: Function, rng: torch.Generator) -> None:
    for size in SIZES:
        inputs = _draw(rng, size)
        want = exercise.true_answer(*inputs)
        got = expect_shape(answer(*inputs), tuple(want.shape))
        latent = size[-1]
        expect_close(got[..., :latent], want[..., :latent], atol=1e-4)


@exercise.check(
    en="the rotated channels turn by the query's position",
    zh="旋转的通道按查询的位置转",
    weight=3,
)
def rotated_part(answer: Function, rng: torch.Generator) -> None:
    for size in SIZES:
        inputs = _draw(rng, size)
        expect_close(answer(*inputs), exercise.true_answer(*inputs), atol=1e-4)


@exercise.check(
    en="the scores are those of keys made from the latents",
    zh="得分与先由隐向量算出键再打分相同",
    weight=2,
)
def scores(answer: Function, rng: torch.Generator) -> None:
    for size in SIZES:
        inputs = _draw(rng, size)
        cache = _latents(rng, inputs)
        q, key_up, positions, omega = inputs
        plain, rotary = _parts(q, omega)
        latents, shared = cache.split((size[-1], size[-2]), dim=-1)
        turned = _turn(rotary, positions, omega)
        want = plain @ (latents @ key_up.mT).mT + turned @ shared.mT
        expect_close(expect_tensor(answer(*inputs)) @ cache.mT, want, atol=2e-3)


def _joined(absorbed: Tensor, rotated: Tensor) -> Tensor:
    return torch.cat((absorbed, rotated), dim=-1)


@exercise.misconception(
    en="Nothing turns: the key in the cache is rotated, so the query's last Dr channels must be "
    "rotated too, each at its own position.",
    zh="什么都没有转：缓存里的键旋转过，查询的最后Dr个通道也要按各自的位置旋转。",
)
def not_turned(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    plain, rotary = _parts(q, omega)
    return _joined(plain @ key_up, rotary)


@exercise.misconception(
    en="You turned the wrong way, by −pω. The score then depends on the sum of the two positions, "
    "not on their difference.",
    zh="转反了：转的是−pω。得分于是取决于两个位置之和，而不是之差。",
)
def wrong_way(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    plain, rotary = _parts(q, omega)
    return _joined(plain @ key_up, _turn(rotary, -positions, omega))


@exercise.misconception(
    en="The rotated channels are the *last* Dr of the query; you turned the first.",
    zh="要旋转的是查询*最后*的Dr个通道，你转的是最前面的。",
)
def rotates_the_first(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    rotated = 2 * len(omega)
    return _joined(q[..., rotated:] @ key_up, _turn(q[..., :rotated], positions, omega))


@exercise.misconception(
    en="The rotated part stands first in your query; in the cache the latent does.",
    zh="你的查询里旋转部分在前；缓存里在前的是隐向量。",
)
def rotated_first(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    plain, rotary = _parts(q, omega)
    return _joined(_turn(rotary, positions, omega), plain @ key_up)


@exercise.misconception(
    en="W is transposed: q @ W.mT fits only where D = C. For row vectors Wᵀq is q @ W.",
    zh="W转置了：只有D = C时q @ W.mT才乘得起来。写成行向量，Wᵀq就是q @ W。",
)
def transposed(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    plain, rotary = _parts(q, omega)
    square = key_up.shape[1] == key_up.shape[2]
    return _joined(plain @ (key_up.mT if square else key_up), _turn(rotary, positions, omega))


@exercise.misconception(
    en="All heads went through the matrix of head 0. The latent is shared, the matrices are not: "
    "each head has its own.",
    zh="所有头都用了第0个头的矩阵。共用的是隐向量，矩阵是每个头一个。",
)
def one_matrix(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    plain, rotary = _parts(q, omega)
    return _joined(plain @ key_up[0], _turn(rotary, positions, omega))


@exercise.misconception(
    en="You paired neighbours, the interleaved layout (which DeepSeek uses). Here channels i and "
    "i + Dr/2 are a pair.",
    zh="你把相邻通道当成一对，那是交错排布（DeepSeek用的就是它）。这里通道i与i + Dr/2为一对。",
)
def interleaved(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    plain, rotary = _parts(q, omega)
    halves = rotary.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
    turned = _turn(halves, positions, omega).unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)
    return _joined(plain @ key_up, turned)


@exercise.misconception(
    en="You numbered the queries 0, 1, 2, …; but their positions are given and may be anywhere.",
    zh="你把查询编号为0、1、2……；它们的位置是给定的，可以在任何地方。",
)
def counted(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    plain, rotary = _parts(q, omega)
    return _joined(plain @ key_up, _turn(rotary, torch.arange(q.shape[2]), omega))


@exercise.misconception(
    en="You divided by √(D + Dr) already. The task asks for the dot products as they are.",
    zh="你已经除过√(D + Dr)了。题目要的是不作除法的点积。",
)
def scaled(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    return head_by_head(q, key_up, positions, omega) / q.shape[-1] ** 0.5


@exercise.misconception(
    en="The rotated channels were dropped: this query knows no positions.",
    zh="丢掉了旋转的通道：这样的查询不知道位置。",
)
def content_alone(q: Tensor, key_up: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    plain, _ = _parts(q, omega)
    return plain @ key_up
