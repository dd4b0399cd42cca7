"""Exercise clinic_decode_rope: new tokens that stand one place too far."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_decode_rope",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: a gap before every answer",
        zh="修错：开口之前空一格",
    ),
    task=Text(
        en=r"""Mend `case_18`: causal attention with RoPE (half-split layout, base 10000) that
continues from a cache of rotated keys. Token by token must give what one pass gives. The cache
is whole: its columns stand at 0, 1, 2, ….

In: `q`, `k`, `v` `(B, H, new, D)`, not rotated; `cache` is None at first, then the pair that
you returned last. Out: `(B, H, new, D)`, and the pair `(keys, values)`, each
`(B, H, past + new, D)`.""",
        zh=r"""修好`case_18`：带RoPE（前后半排布，base为10000）的因果注意力，从旋转过的键的缓存接着算。
逐个词元算，必须与一次算完的结果相同。缓存是完整的：各列站在0、1、2……。

输入：`q`、`k`、`v`，形状`(B, H, new, D)`，未旋转；`cache`起初为None，之后是你上次返回的那一对。
输出：`(B, H, new, D)`，以及`(keys, values)`这一对，形状都是`(B, H, past + new, D)`。""",
    ),
    signature="clinic_decode_rope(q, k, v, cache=None) -> (out, (keys, values))",
    points=1,
    difficulty=2,
    minutes=7,
    hints=(
        Text(
            en="Write down the positions for a prompt of 3 and then one token more.",
            zh="提示3个词元，再来1个：写下它们的位置。",
        ),
        Text(
            en="Behind `past` tokens at 0 … past − 1 the next stands at `past`.",
            zh="前面有`past`个词元，站在0到past − 1，下一个站在`past`。",
        ),
        Text(
            en="`start = 0 if cache is None else cache[0].shape[2]`, without the 1.",
            zh="`start = 0 if cache is None else cache[0].shape[2]`，不要再加1。",
        ),
    ),
)


@exercise.check(
    en="one pass is right, and keeps rotated keys", zh="一次算完是对的，存下的是旋转过的键"
)
def one_pass(answer: Function, rng: torch.Generator) -> None:
    q, k, v = torch.randn(3, 2, 2, 6, 8, generator=rng).unbind()
    expect_close(_run(answer, (6,), (q, k, v)), _want(q, k, v))
    _, (keys, values) = answer(q, k, v)
    expect_close(keys, _turn(k, 0))
    expect_close(values, v)


@exercise.check(en="token by token equals one pass", zh="逐个词元算与一次算完相同", weight=3)
def decode(answer: Function, rng: torch.Generator) -> None:
    given = torch.randn(3, 1, 3, 9, 8, generator=rng).unbind()
    for sizes in ((1,) * 9, (5, 1, 1, 1, 1), (4, 3, 2)):
        expect_close(_run(answer, sizes, given), _want(*given))


def _run(answer: Function, sizes: tuple[int, ...], given: tuple[Tensor, ...]) -> Tensor:
    pieces, cache, outs = zip(*(x.split(sizes, 2) for x in given), strict=True), None, []
    for piece in pieces:
        got = answer(*piece, cache)
        expect(
            isinstance(got, tuple | list) and len(got) == 2,
            "return two things: the output and the pair (keys, values)",
            "请返回两样东西：输出，以及(keys, values)这一对",
        )
        out, cache = got
        outs.append(expect_shape(out, tuple(piece[0].shape)))
    return torch.cat(outs, 2)


def _turn(x: Tensor, start: int) -> Tensor:
    D = x.shape[3]
    at = torch.arange(start, start + x.shape[2])
    angles = at[:, None] * 10000.0 ** (-torch.arange(0, D, 2) / D)
    a, b = x.chunk(2, -1)
    c, s = angles.cos(), angles.sin()
    return torch.cat((a * c - b * s, a * s + b * c), -1)


def _want(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.nn.functional.scaled_dot_product_attention(
        _turn(q, 0), _turn(k, 0), v, is_causal=True
    )


def _step(
    q: Tensor, k: Tensor, v: Tensor, cache: tuple[Tensor, Tensor] | None, q_gap: int, k_gap: int
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    past = 0 if cache is None else cache[0].shape[2]
    keys, values = _turn(k, past + (k_gap if past else 0)), v
    if cache is not None:
        keys, values = torch.cat((cache[0], keys), 2), torch.cat((cache[1], values), 2)
    return _attended(_turn(q, past + (q_gap if past else 0)), keys, values), (keys, values)


def _attended(turned: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    new, total = turned.shape[2], keys.shape[2]
    seen = torch.ones(new, total, dtype=torch.bool).tril(total - new)
    return torch.nn.functional.scaled_dot_product_attention(turned, keys, values, attn_mask=seen)


@exercise.misconception(
    en="Still the broken version: from the second piece on all tokens stand one place too far, and "
    "the place behind the first piece stays empty.",
    zh="还是有错的那个版本：从第二块起都往后多站了一格，第一块后面空着一个位置。",
)
def unchanged(
    q: Tensor, k: Tensor, v: Tensor, cache: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    return _step(q, k, v, cache, 1, 1)


@exercise.misconception(
    en="The query is mended, the new key is still stored one place too far.",
    zh="查询修好了，新键存的位置仍然多了一格。",
)
def key_too_far(
    q: Tensor, k: Tensor, v: Tensor, cache: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    return _step(q, k, v, cache, 0, 1)


@exercise.misconception(
    en="One step too many in the other direction: the new token stands on the last one's place.",
    zh="往另一边多退了一步：新词元站到了上一个的位置上。",
)
def one_too_few(
    q: Tensor, k: Tensor, v: Tensor, cache: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    return _step(q, k, v, cache, -1, -1)


@exercise.misconception(
    en="The positions are right. But `is_causal=True` lays its mask from the top left: a single "
    "new query sees key 0 alone.",
    zh="位置对了。可是`is_causal=True`的掩码从左上角铺起：单独一个新查询只看得见键0。",
)
def mask_from_the_top(
    q: Tensor, k: Tensor, v: Tensor, cache: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    past = 0 if cache is None else cache[0].shape[2]
    _, (keys, values) = _step(q, k, v, cache, 0, 0)
    out = torch.nn.functional.scaled_dot_product_attention(
        _turn(q, past), keys, values, is_causal=True
    )
    return out, (keys, values)


@exercise.misconception(
    en="You rotate the whole row of keys at every step: those from the cache are rotated already.",
    zh="你每一步都把所有键转一遍：缓存里的那些早就转过了。",
)
def rotated_again(
    q: Tensor, k: Tensor, v: Tensor, cache: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    past = 0 if cache is None else cache[0].shape[2]
    if cache is not None:
        k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
    keys = _turn(k, 0)
    return _attended(_turn(q, past), keys, v), (keys, v)


@exercise.misconception(
    en="The output is right, but you store the keys unrotated; this cache keeps rotated ones, so "
    "that each key is rotated once.",
    zh="输出是对的，但存下的键没有旋转；这个缓存里放的是旋转过的键，这样每个键只转一次。",
)
def stored_unrotated(
    q: Tensor, k: Tensor, v: Tensor, cache: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    past = 0 if cache is None else cache[0].shape[2]
    if cache is not None:
        k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
    return _attended(_turn(q, past), _turn(k, 0), v), (k, v)
