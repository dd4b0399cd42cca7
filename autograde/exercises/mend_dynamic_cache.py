"""Exercise mend_dynamic_cache: keys rotated with a base that is out of date."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="mend_dynamic_cache",
    chapter="06_rope_scaling",
    title=Text(en="Fix: dynamic NTK with stale keys", zh="改错：动态NTK用了过期的键"),
    task=Text(
        en=r"""Fix `stale_scores`: decoding must give the scores that one pass over the whole text
gives. Key $j$ ($j=0,\dots,n-1$) is at position $j$, the query at $n-1$; the rule is the dynamic
NTK of 6.5 without a `factor` (base 10000 up to the trained length). Scores are divided by
$\sqrt D$.

In: `query` of shape `(D,)` and `keys` of shape `(n, D)`, not rotated, float64, $D\ge4$, half-split
layout (channels $i$ and $i+D/2$ are a pair); `trained_length` is $L$. Out: shape `(n,)`.""",
        zh=r"""修好`stale_scores`：解码得到的得分，必须与整段文本一次算完的相同。
键$j$（$j=0,\dots,n-1$）在位置$j$，
查询在$n-1$；用6.5节的动态NTK，不带`factor`（训练长度以内base为10000）。得分除以$\sqrt D$。

输入：`query`形状为`(D,)`，`keys`形状为`(n, D)`，都没有旋转过，float64，$D\ge4$，前后半排布
（通道$i$与$i+D/2$为一对）；`trained_length`就是$L$。输出：形状为`(n,)`。""",
    ),
    signature="mend_dynamic_cache(query, keys, trained_length) -> (n,)",
    points=3,
    difficulty=3,
    minutes=15,
    hints=(
        Text(
            en="When key 5 was stored, which length did its base belong to? And now?",
            zh="键5存进去时，用的是哪个长度的base？现在呢？",
        ),
        Text(
            en="In one pass there is one length, n, and one set of frequencies. What must the "
            "cache hold, so that every step can use the newest?",
            zh="一次算完时只有一个长度n，也只有一组频率。缓存里要放什么，"
            "才能让每一步都用最新的频率？",
        ),
        Text(
            en="Only the distance counts: turn key j by (j - (n - 1))ω and leave the query alone.",
            zh="只有距离起作用：把键j转(j - (n - 1))ω，查询不动就行。",
        ),
    ),
)


def _omega(dim: int, length: int, trained_length: int) -> Tensor:
    base = 10000.0 * max(1.0, length / trained_length) ** (dim / (dim - 2))
    return base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)


def _turn(x: Tensor, position: int, omega: Tensor) -> Tensor:
    a, b = x.chunk(2)
    c, s = (position * omega).cos(), (position * omega).sin()
    return torch.cat((a * c - b * s, a * s + b * c))


def _scores(query: Tensor, keys: Tensor, of_query: Tensor, of_keys: list[Tensor]) -> Tensor:
    n, dim = keys.shape
    turned = [_turn(keys[p], p, of_keys[p]) for p in range(n)]
    return torch.stack(turned) @ _turn(query, n - 1, of_query) / math.sqrt(dim)


@exercise.truth
def one_pass(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    omega = _omega(dim, n, trained_length)
    return _scores(query, keys, omega, [omega] * n)


def _inputs(rng: torch.Generator, n: int, dim: int) -> tuple[Tensor, Tensor]:
    query, *keys = torch.randn(n + 1, dim, generator=rng, dtype=torch.float64)
    return query, torch.stack(keys, dim=1).T  # not contiguous


@exercise.check(en="one score for every key", zh="每个键一个得分")
def shape(answer: Function, rng: torch.Generator) -> None:
    for n, dim in ((12, 8), (1, 4), (1, 6), (2, 4)):
        expect_shape(answer(*_inputs(rng, n, dim), 4), (n,))


@exercise.check(en="is plain RoPE within the trained length", zh="训练长度之内就是普通的RoPE")
def short(answer: Function, rng: torch.Generator) -> None:
    n = int(torch.randint(6, 12, (), generator=rng))
    for trained in (16, n):
        expect_agreement(answer, exercise.true_answer, *_inputs(rng, n, 8), trained, atol=2e-4)


@exercise.check(
    en="beyond it, all keys and the query share the present frequencies",
    zh="超过训练长度后，所有键和查询共用当前的频率",
    weight=4,
)
def long(answer: Function, rng: torch.Generator) -> None:
    for texts in (3, 5, 26):  # so many trained lengths and a bit: n / L is not whole
        pairs, trained = torch.randint(4, 16, (2,), generator=rng).tolist()
        n = texts * trained + 2
        inputs = _inputs(rng, n, 2 * pairs)
        expect_agreement(answer, exercise.true_answer, *inputs, trained, atol=2e-4)


@exercise.misconception(
    en="Still the broken version: each key keeps the base of the moment at which it was stored.",
    zh="还是有错的那个版本：每个键都停留在存入时的base。",
)
def unchanged(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    stored = [_omega(dim, p + 1, trained_length) for p in range(n)]
    return _scores(query, keys, stored[-1], stored)


@exercise.misconception(
    en="The keys agree with the query now, but the base never grows: this is plain RoPE, and past "
    "the trained length it meets angles never seen.",
    zh="键和查询是一致了，但base从不变大：这是普通的RoPE，超过训练长度就会遇到没见过的角度。",
)
def frozen(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    omega = _omega(dim, 1, trained_length)
    return _scores(query, keys, omega, [omega] * n)


@exercise.misconception(
    en="The keys are turned by the base of training and the query by the present one: two bases, "
    "and no distance between them.",
    zh="键用训练时的base旋转，查询用当前的base：两个base之间谈不上距离。",
)
def two_bases(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    return _scores(
        query, keys, _omega(dim, n, trained_length), [_omega(dim, 1, trained_length)] * n
    )


@exercise.misconception(
    en="There is no max(1, …): texts shorter than in training get a smaller base, and change.",
    zh="少了max(1, …)：文本比训练长度短时，base会变小，结果也变了。",
)
def also_shrinks(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    base = 10000.0 * (n / trained_length) ** (dim / (dim - 2))
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    return _scores(query, keys, omega, [omega] * n)


@exercise.misconception(
    en="Now the query follows each key's own old base: each score is consistent, but the keys are "
    "still measured by different bases. One base for all, that of length n.",
    zh="现在查询迁就了每个键各自的旧base：单看每个得分是一致的，但各个键用的仍是不同的base。"
    "所有键都要用同一个base，即长度n的那个。",
)
def base_of_each_key(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    stored = [_omega(dim, p + 1, trained_length) for p in range(n)]
    every = [_turn(keys[p], p, w) @ _turn(query, n - 1, w) for p, w in enumerate(stored)]
    return torch.stack(every) / math.sqrt(dim)


@exercise.misconception(
    en="The base is multiplied by s alone; NTK-aware scaling takes s to the power D/(D - 2).",
    zh="base只乘了s；NTK-aware缩放要乘s的D/(D - 2)次方。",
)
def times_stretch(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    base = 10000.0 * max(1.0, n / trained_length)
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    return _scores(query, keys, omega, [omega] * n)


@exercise.misconception(
    en="The keys are turned the wrong way, by (n - 1 - j)ω: they seem to lie ahead of the query. "
    "With the query left alone, key j is turned by (j - (n - 1))ω, backwards.",
    zh="键转反了，转了(n - 1 - j)ω：它们好像在查询之后。"
    "查询不动时，键j要转(j - (n - 1))ω，即反向旋转。",
)
def ahead(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    omega = _omega(dim, n, trained_length)
    turned = [_turn(keys[p], n - 1 - p, omega) for p in range(n)]
    return torch.stack(turned) @ query / math.sqrt(dim)


@exercise.misconception(
    en="The query is at n, one place too far. Counting from 0, the newest of n tokens is at n - 1.",
    zh="查询放在了位置n，多了一格。从0数起，n个词元中最新的一个在n - 1。",
)
def one_too_far(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    omega = _omega(dim, n, trained_length)
    turned = [_turn(keys[p], p, omega) for p in range(n)]
    return torch.stack(turned) @ _turn(query, n, omega) / math.sqrt(dim)


@exercise.misconception(
    en="The query is turned by the base of training and the keys by the present one: two bases, "
    "and no distance between them.",
    zh="查询用训练时的base旋转，键用当前的base：两个base之间谈不上距离。",
)
def plain_query(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    plain, present = _omega(dim, 1, trained_length), _omega(dim, n, trained_length)
    return _scores(query, keys, plain, [present] * n)


@exercise.misconception(
    en="The stretch is taken from n - 1, the position of the query. The length counts tokens, the "
    "newest included: n.",
    zh="扩展倍数用了n - 1，那是查询的位置。长度数的是词元个数，最新的也算在内：n。",
)
def stretch_of_position(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    omega = _omega(dim, n - 1, trained_length)
    return _scores(query, keys, omega, [omega] * n)


@exercise.misconception(
    en="Neighbours are paired: this is the interleaved layout. `stale_scores` pairs channel i with "
    "i + D/2.",
    zh="你让相邻两个为一对，那是交错排布。`stale_scores`里是通道i与i + D/2为一对。",
)
def interleaved(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    query, keys = (torch.cat((x[..., 0::2], x[..., 1::2]), dim=-1) for x in (query, keys))
    return one_pass(query, keys, trained_length)


@exercise.misconception(
    en="The angles are divided by the stretch: that is position interpolation, which slows the "
    "fast pairs as well. Dynamic NTK changes the base.",
    zh="你把角度除以了扩展倍数：那是位置插值，连高频对也放慢了。动态NTK改的是base。",
)
def interpolated(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    omega = _omega(dim, 1, trained_length) / max(1.0, n / trained_length)
    return _scores(query, keys, omega, [omega] * n)


@exercise.misconception(
    en="The query is not turned while key j is turned by jω: the query seems to be at 0, the "
    "place of the first key. Turn it by (n - 1)ω, or every key by (j - (n - 1))ω.",
    zh="键j转了jω，查询却没有转：查询的位置好像是0，和第一个键在一起。查询要转(n - 1)ω，"
    "或者每个键转(j - (n - 1))ω。",
)
def query_unturned(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    omega = _omega(dim, n, trained_length)
    return torch.stack([_turn(keys[p], p, omega) for p in range(n)]) @ query / math.sqrt(dim)


@exercise.misconception(
    en="The stretch was made an integer, n // L: the base then jumps every L tokens instead of "
    "growing with the text.",
    zh="扩展倍数成了整数n // L：base每隔L个词元跳一次，而不是随文本增长。",
)
def whole_stretch(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    omega = _omega(dim, n // trained_length * trained_length, trained_length)
    return _scores(query, keys, omega, [omega] * n)


@exercise.misconception(
    en="Keys within the trained length keep the base of training, later ones and the query have "
    "the present base. One base for all, that of length n.",
    zh="训练长度之内的键仍用训练时的base，之后的键和查询用当前的base。所有键都要用同一个base，"
    "即长度n的那个。",
)
def first_keys_plain(query: Tensor, keys: Tensor, trained_length: int) -> Tensor:
    n, dim = keys.shape
    plain, present = _omega(dim, 1, trained_length), _omega(dim, n, trained_length)
    of_keys = [plain if p < trained_length else present for p in range(n)]
    return _scores(query, keys, present, of_keys)
