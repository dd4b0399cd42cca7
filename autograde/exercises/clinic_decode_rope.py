"""Exercise clinic_decode_rope: new tokens that are one place too far."""

from typing import NamedTuple

import torch
from torch import Tensor

from autograde.exercises._extreme_scores import (
    ROUNDED,
    WRONG_SOFTMAXES,
    Softmax,
    attended,
    extreme_texts,
)
from autograde.exercises._ward_decoding import (
    Cache,
    Step,
    attention,
    extended,
    past_of,
    pieces,
    run,
    text,
    visible,
)
from autograde.exercises._ward_rotations import turned
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_decode_rope",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: a gap after the first piece",
        zh="改错：第一块之后空了一格",
    ),
    task=Text(
        en=r"""Fix `case_18`: causal attention with RoPE (half-split layout, base 10000) that
continues from a cache of rotated keys. Token by token must give what one pass gives. The cache
is whole: its columns are at 0, 1, 2, ….

In: `q`, `k`, `v` `(B, H, new, D)`, not rotated; `cache` is None at first, then the pair that
you returned last. Out: `(B, H, new, D)`, and the pair `(keys, values)`, each
`(B, H, past + new, D)`.""",
        zh=r"""修好`case_18`：带RoPE（前后半排布，base为10000）的因果注意力，从旋转过的键的缓存接着算。
逐个词元算，必须与一次算完的结果相同。缓存是完整的，各列的位置就是0、1、2……。

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
            zh="prompt有3个词元，再来1个：写下它们的位置。",
        ),
        Text(
            en="After `past` tokens at 0 … past − 1 the next is at `past`.",
            zh="前面有`past`个词元，位置是0到past − 1，下一个的位置是`past`。",
        ),
        Text(
            en="`start` should be the number of cached tokens. Where does the broken line add "
            "one to it?",
            zh="`start`就是缓存里的词元数。有错的那一行在哪里多加了1？",
        ),
    ),
)


class Piece(NamedTuple):
    """One call: what came in, and new queries and keys turned to where they belong."""

    q: Tensor
    k: Tensor
    v: Tensor
    cache: Cache
    past: int
    turned_q: Tensor
    turned_k: Tensor


def look(q: Tensor, k: Tensor, v: Tensor, cache: Cache = None) -> Piece:
    past = past_of(cache)
    return Piece(q, k, v, cache, past, turned(q, past), turned(k, past))


@exercise.truth
def behind_the_cache(q: Tensor, k: Tensor, v: Tensor, cache: Cache = None) -> Step:
    """Return the step with new tokens at past, past + 1, …, and keys stored rotated."""
    return _step(look(q, k, v, cache))


def _step(seen: Piece) -> Step:
    keys, values = extended(seen.cache, seen.turned_k, seen.v)
    return _read(seen, keys, values), (keys, values)


def _read(seen: Piece, keys: Tensor, values: Tensor) -> Tensor:
    mask = visible(seen.q.shape[2], keys.shape[2])
    return attention(seen.turned_q, keys, values, mask)


def _moved(seen: Piece, q_gap: int, k_gap: int) -> Step:
    """Return the step with new queries and keys moved by these gaps, once there is a past."""
    if not seen.past:
        return _step(seen)
    q = turned(seen.q, seen.past + q_gap) if q_gap else seen.turned_q
    return _step(seen._replace(turned_q=q, turned_k=turned(seen.k, seen.past + k_gap)))


@exercise.check(
    en="one pass is right, and keeps rotated keys", zh="一次算完是对的，存下的是旋转过的键"
)
def one_pass(answer: Function, rng: torch.Generator) -> None:
    for shape in ((2, 2, 6, 8), (1, 1, 1, 2), (1, 3, 5, 130)):
        q, k, v = text(rng, *shape)
        out, cache = exercise.true_answer(q, k, v)
        expect_close(run(answer, (shape[2],), (q, k, v)), out, atol=1e-4)
        _, pair = answer(q, k, v)
        expect(
            isinstance(pair, tuple | list) and len(pair) == 2,
            "the second thing to return is the pair (keys, values)",
            "返回的第二样东西是(keys, values)这一对",
        )
        for mine, right in zip(pair, cache, strict=True):
            expect_close(mine, right, atol=1e-4)
    for qkv in extreme_texts(rng, 5):
        expect_close(run(answer, (5,), qkv), exercise.true_answer(*qkv)[0], rtol=ROUNDED)


@exercise.check(en="token by token equals one pass", zh="逐个词元算与一次算完相同", weight=3)
def decode(answer: Function, rng: torch.Generator) -> None:
    for shape in ((1, 3, 9, 8), (2, 1, 8, 6)):
        qkv = text(rng, *shape)
        want, _ = exercise.true_answer(*qkv)
        for sizes in pieces(rng, shape[2]):
            expect_close(run(answer, sizes, qkv), want)


@exercise.misconception(
    en="Still the broken version: from the second piece on all tokens are one place too far, and "
    "the place after the first piece stays empty.",
    zh="还是有错的那个版本：从第二块起位置都多了1，第一块之后空着一个位置。",
    look=look,
)
def unchanged(seen: Piece) -> Step:
    return _moved(seen, 1, 1)


@exercise.misconception(
    en="The query is mended, but the new key is still stored one place too far.",
    zh="查询修好了，新键存的位置仍然多了一格。",
    look=look,
)
def key_too_far(seen: Piece) -> Step:
    return _moved(seen, 0, 1)


@exercise.misconception(
    en="The new key is mended, but the query is still turned one place too far.",
    zh="新键修好了，查询转的位置仍然多了一格。",
    look=look,
)
def query_too_far(seen: Piece) -> Step:
    return _moved(seen, 1, 0)


@exercise.misconception(
    en="The gap is closed by moving the first piece: all positions begin at 1. Distances are "
    "right, and so is the output; but the columns of this cache are at 0, 1, 2, …, so after `past` "
    "tokens the next is at `past`.",
    zh="空格是没了，却是把第一块挪了一格：所有位置都从1数起。距离没错，输出也就对；"
    "可这个缓存各列的位置是0、1、2……，前面有`past`个词元，下一个就在`past`。",
    look=look,
)
def all_from_one(seen: Piece) -> Step:
    q, k = turned(seen.q, seen.past + 1), turned(seen.k, seen.past + 1)
    return _step(seen._replace(turned_q=q, turned_k=k))


@exercise.misconception(
    en="One step too many in the other direction: the new token has the position of the last "
    "cached one.",
    zh="往另一边多退了一步，新词元用了上一个词元的位置。",
    look=look,
)
def one_too_few(seen: Piece) -> Step:
    return _moved(seen, -1, -1)


@exercise.misconception(
    en="The positions are right. But `is_causal=True` lays its mask from the top left: a single "
    "new query sees key 0 alone.",
    zh="位置对了。可是`is_causal=True`的掩码从左上角铺起：单独一个新查询只看得见键0。",
    look=look,
)
def mask_from_the_top(seen: Piece) -> Step:
    _, (keys, values) = _step(seen)
    mask = visible(keys.shape[2], keys.shape[2])[: seen.q.shape[2]]
    return attention(seen.turned_q, keys, values, mask), (keys, values)


@exercise.misconception(
    en="You rotate the whole row of keys at every step: those from the cache are rotated already.",
    zh="你每一步都把所有键转一遍：缓存里的那些早就转过了。",
    look=look,
)
def rotated_again(seen: Piece) -> Step:
    keys, values = extended(seen.cache, seen.k, seen.v)
    keys = turned(keys, 0)
    return _read(seen, keys, values), (keys, values)


@exercise.misconception(
    en="The output is right, but you store the keys un-rotated; this cache keeps rotated ones, so "
    "that each key is rotated once.",
    zh="输出是对的，但存下的键没有旋转；这个缓存里放的是旋转过的键，这样每个键只转一次。",
    look=look,
)
def stored_unrotated(seen: Piece) -> Step:
    keys, values = extended(seen.cache, seen.k, seen.v)
    return _read(seen, turned(keys, 0), values), (keys, values)


@exercise.misconception(
    en="Every call begins at position 0 again: the new tokens are where the first ones were.",
    zh="每次调用都又从位置0开始：新词元用了最前面那些词元的位置。",
    look=look,
)
def each_call_from_zero(seen: Piece) -> Step:
    return _moved(seen, -seen.past, -seen.past)


@exercise.misconception(
    en="The mask is applied in the first call alone: in a later piece of several tokens each sees "
    "those after it.",
    zh="只在第一次调用时加了掩码：之后一块里若有几个词元，前面的就看得到后面的。",
    look=look,
)
def mask_at_first_alone(seen: Piece) -> Step:
    return _step(seen) if seen.cache is None else no_mask(seen)


@exercise.misconception(
    en="The causal mask is missing: every token sees those after it, even in one pass.",
    zh="缺了因果掩码：每个词元都看得到后面的词元，一次算完时也是。",
    look=look,
)
def no_mask(seen: Piece) -> Step:
    _, (keys, values) = _step(seen)
    return attention(seen.turned_q, keys, values, None), (keys, values)


@exercise.misconception(
    en="The values are turned as well. RoPE turns queries and keys; with turned values the "
    "output depends on the absolute place.",
    zh="值也被旋转了。RoPE只转查询和键；值转了，输出就取决于绝对位置。",
    look=look,
)
def values_turned(seen: Piece) -> Step:
    return _step(seen._replace(v=turned(seen.v, seen.past)))


@exercise.misconception(
    en="The scores are not divided by √D: too much weight goes to the best key.",
    zh="得分没有除以√D：最匹配的键拿走了太多权重。",
    look=look,
)
def not_divided(seen: Piece) -> Step:
    out, _ = _step(seen._replace(turned_q=seen.turned_q * seen.q.shape[3] ** 0.5))
    return out, _step(seen)[1]


@exercise.misconception(
    en="The output is right; you return the new keys and values alone, so the next call has "
    "forgotten everything before them.",
    zh="输出是对的；但你只返回了新的键和值，下一次调用就忘了之前的一切。",
    look=look,
)
def new_alone(seen: Piece) -> Step:
    return _step(seen)[0], (seen.turned_k, seen.v)


@exercise.misconception(
    en="You counted along axis 1 of the cache, which has the heads: (B, H, L, D). The past is "
    "`cache[0].shape[2]`.",
    zh="你数的是缓存的第1轴，那里是头：(B, H, L, D)。已有的词元数是`cache[0].shape[2]`。",
    look=look,
)
def heads_counted(seen: Piece) -> Step:
    gap = 0 if seen.cache is None else seen.cache[0].shape[1] - seen.past
    return _moved(seen, gap, gap)


@exercise.misconception(
    en="The new keys were put in front of the cached ones. The mask goes by columns: column j must "
    "hold the key of position j, so the new ones come last.",
    zh="新的键放到了缓存的前面。掩码是按列来的：第j列必须是位置j的键，所以新的要接在后面。",
    look=look,
)
def new_in_front(seen: Piece) -> Step:
    keys, values = seen.turned_k, seen.v
    if seen.cache is not None:
        keys, values = (torch.cat(pair, 2) for pair in zip((keys, values), seen.cache, strict=True))
    return _read(seen, keys, values), (keys, values)


def _answer_with(softmax: Softmax) -> Function:
    def answer(q: Tensor, k: Tensor, v: Tensor, cache: Cache = None) -> Step:
        seen = look(q, k, v, cache)
        keys, values = extended(cache, seen.turned_k, v)
        mask = visible(q.shape[2], keys.shape[2])
        return attended(softmax, seen.turned_q, keys, values, mask), (keys, values)

    return answer


WRONG_SOFTMAXES.name_in(exercise, _answer_with)
