"""Exercise clinic_decode_alibi: rows of the bias taken from the top."""

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

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
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_decode_alibi",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: the nearest key is forgotten",
        zh="改错：忘了最近的键",
    ),
    task=Text(
        en=r"""Fix `case_21`: causal attention with ALiBi's bias $-m_h\,(i-j)$, continuing from
a cache. Token by token must give what one pass gives.

In: `q`, `k`, `v` `(B, H, new, D)`; `slopes` `(H,)`; `cache` is None at first, then the pair
that you returned last. Out: `(B, H, new, D)`, and the pair `(keys, values)`, each
`(B, H, past + new, D)`.""",
        zh=r"""修好`case_21`：带ALiBi偏置$-m_h\,(i-j)$的因果注意力，从缓存接着算。
逐个词元算，必须与一次算完的结果相同。

输入：`q`、`k`、`v`，形状`(B, H, new, D)`；`slopes`，形状`(H,)`；`cache`起初为None，
之后是你上次返回的那一对。输出：`(B, H, new, D)`，以及`(keys, values)`这一对，
形状都是`(B, H, past + new, D)`。""",
    ),
    signature="clinic_decode_alibi(q, k, v, slopes, cache=None) -> (out, (keys, values))",
    points=1,
    difficulty=2,
    minutes=7,
    hints=(
        Text(
            en="One new token, three in the cache: print the row of the bias that is added.",
            zh="缓存里有3个词元，来1个新的：打印加上去的那一行偏置。",
        ),
        Text(
            en="The new tokens are the *last* rows of the square bias.",
            zh="新词元对应方阵偏置的*最后*几行。",
        ),
        Text(
            en="A slice can count from the end. How many rows from there are the new ones?",
            zh="切片可以从末尾数起。从那里数，新词元占几行？",
        ),
    ),
)


@exercise.truth
def last_rows(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    """Return the step whose bias takes the new tokens behind those of the cache."""
    return _step(q, k, v, slopes, cache)


def _step(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    slopes: Tensor,
    cache: Cache,
    first: int | None = None,
    factor: float = 1.0,
    mask: bool = True,
) -> Step:
    """Return one step; first: where the bias takes the new tokens to be, behind the past."""
    k, v = extended(cache, k, v)
    new, total = q.shape[2], k.shape[2]
    at = torch.arange(new)[:, None] + (past_of(cache) if first is None else first)
    bias = -factor * slopes[:, None, None] * (at - torch.arange(total)).abs()
    if mask:
        bias = bias.masked_fill(~visible(new, total), -torch.inf)
    return attention(q, k, v, bias), (k, v)


@exercise.check(en="one pass is right", zh="一次算完是对的")
def one_pass(answer: Function, rng: torch.Generator) -> None:
    for shape in ((2, 2, 6, 8), (1, 1, 1, 2), (1, 3, 5, 130)):
        qkv, slopes = text(rng, *shape), torch.rand(shape[1], generator=rng) + 0.05
        out, cache = exercise.true_answer(*qkv, slopes)
        expect_close(run(answer, (shape[2],), qkv, slopes), out)
        _, pair = answer(*qkv, slopes)
        expect(
            isinstance(pair, tuple | list) and len(pair) == 2,
            "the second thing to return is the pair (keys, values)",
            "返回的第二样东西是(keys, values)这一对",
        )
        for mine, right in zip(pair, cache, strict=True):
            expect_close(mine, right)
    for qkv in extreme_texts(rng, 5):
        slopes = torch.randint(1, 8, (1,), generator=rng) / 4
        want, _ = exercise.true_answer(*qkv, slopes)
        expect_close(run(answer, (5,), qkv, slopes), want, rtol=ROUNDED)


@exercise.check(en="token by token equals one pass", zh="逐个词元算与一次算完相同", weight=3)
def decode(answer: Function, rng: torch.Generator) -> None:
    for shape in ((1, 3, 9, 8), (2, 1, 8, 6)):
        qkv, slopes = text(rng, *shape), torch.rand(shape[1], generator=rng) + 0.05
        want, _ = exercise.true_answer(*qkv, slopes)
        for sizes in pieces(rng, shape[2]):
            expect_close(run(answer, sizes, qkv, slopes), want)


@exercise.misconception(
    en="Still the broken version: the rows are taken from the top, so a new token favours key 0 "
    "and penalises its neighbour most.",
    zh="还是有错的那个版本：取的是最上面几行，新词元偏爱键0，对紧挨着的键扣得最多。",
)
def unchanged(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes, cache, first=0)


@exercise.misconception(
    en="The row is right, but the sign is not: the farthest key is now rewarded most.",
    zh="行对了，符号不对：最远的键加分最多。",
)
def rewarded(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes, cache, factor=-1.0)


@exercise.misconception(
    en="The bias is gone altogether: near and far count the same.",
    zh="偏置整个没了：远近一视同仁。",
)
def no_bias(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes, cache, factor=0.0)


@exercise.misconception(
    en="The bias is divided by √D with the scores. ALiBi is added after the division: the slopes "
    "are meant as they are.",
    zh="偏置和得分一起除以了√D。ALiBi是在除完之后才加的：斜率本来就是这么大。",
)
def scaled_bias(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes, cache, factor=q.shape[3] ** -0.5)


@exercise.misconception(
    en="The bias is right, but the causal mask is gone: `attn_mask=bias` alone lets a token see "
    "later ones.",
    zh="偏置对了，因果掩码却没了：只给`attn_mask=bias`，词元就看得到后面的词元。",
)
def no_mask(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes, cache, mask=False)


@exercise.misconception(
    en="The mask is applied in the first call alone: in a later piece of several tokens each sees "
    "those after it.",
    zh="只在第一次调用时加了掩码：之后一块里若有几个词元，前面的就看得到后面的。",
)
def mask_at_first_alone(
    q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None
) -> Step:
    return _step(q, k, v, slopes, cache, mask=cache is None)


@exercise.misconception(
    en="The cache is not used: each call sees its own tokens alone, and returns them alone.",
    zh="没有用到缓存：每次调用只看得见自己的词元，返回的也只有它们。",
)
def cache_ignored(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes, None)


@exercise.misconception(
    en="The mask is laid from the top left: a single new token sees key 0 alone. New tokens are "
    "the last rows of the mask, as they are of the bias.",
    zh="掩码从左上角铺起：单独一个新词元只看得见键0。新词元对应掩码的最后几行，偏置也一样。",
)
def mask_from_the_top(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    keys, values = extended(cache, k, v)
    at = torch.arange(keys.shape[2])
    bias = -slopes[:, None, None] * (at[-q.shape[2] :, None] - at).abs()
    hidden = at > at[: q.shape[2], None]
    return attention(q, keys, values, bias.masked_fill(hidden, -torch.inf)), (keys, values)


@exercise.misconception(
    en="The scores are not divided by √D: the keys outweigh the bias.",
    zh="得分没有除以√D：键压过了偏置。",
)
def not_divided(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q * q.shape[3] ** 0.5, k, v, slopes, cache)


@exercise.misconception(
    en="The output is right; you return the new keys and values alone, so the next call has "
    "forgotten everything before them.",
    zh="输出是对的；但你只返回了新的键和值，下一次调用就忘了之前的一切。",
)
def new_alone(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes, cache)[0], (k, v)


@exercise.misconception(
    en="Every head gets the first slope: `slopes` must run along the axis of the heads.",
    zh="每个头用的都是第一个斜率：`slopes`应沿着头的轴排开。",
)
def first_slope(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes[:1].expand_as(slopes), cache)


@exercise.misconception(
    en="The new tokens have no bias among themselves, whatever their distance. It counts for all "
    "keys, cached or new.",
    zh="新词元彼此之间没有偏置，不管距离多远。偏置对所有键都算，无论在缓存里还是新来的。",
)
def new_ones_alike(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    keys, values = extended(cache, k, v)
    at, past = torch.arange(keys.shape[2]), past_of(cache)
    distance = at[past:, None] - at
    bias = -slopes[:, None, None] * torch.where(at >= past, 0, distance)
    return attention(q, keys, values, bias.masked_fill(distance < 0, -torch.inf)), (keys, values)


@exercise.misconception(
    en="The output is right; the cache is returned as it came, without the new keys and values, so "
    "the next call does not know them.",
    zh="输出是对的；但缓存原样返回，没有加进新的键和值，下一次调用就不知道它们。",
)
def cache_as_it_came(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    out, new = _step(q, k, v, slopes, cache)
    return out, new if cache is None else cache


@exercise.misconception(
    en="Every new token is placed one too early. |i − j| is then 0 for the key before it and 1 for "
    "the token itself: it pays for itself as much as for the key two back.",
    zh="每个新词元的位置都少了1。于是|i − j|对前一个键是0，对词元自己是1："
    "自己和再前一个键扣得一样多。",
)
def one_too_early(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    return _step(q, k, v, slopes, cache, first=past_of(cache) - 1)


@exercise.misconception(
    en="You cut columns of the bias: they belong to the keys, and all keys count. The new tokens "
    "are queries, so cut the rows, axis 1 of (H, L, L): `bias[:, -new:]`.",
    zh="你截的是偏置的列：列对应键，而每个键都要算。新词元是查询，要截的是行，"
    "即(H, L, L)的第1轴：`bias[:, -new:]`。",
)
def columns_cut(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
    keys, values = extended(cache, k, v)
    new, at = q.shape[2], torch.arange(keys.shape[2])
    bias = -slopes[:, None, None] * (at[:, None] - at).abs()
    hidden = torch.where(at > at[-new:, None], -torch.inf, 0.0)
    mask = hidden + bias[:, :, -new:]
    return scaled_dot_product_attention(q, keys, values, attn_mask=mask), (keys, values)


def _answer_with(softmax: Softmax) -> Function:
    def answer(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, cache: Cache = None) -> Step:
        k, v = extended(cache, k, v)
        at = torch.arange(k.shape[2])
        bias = -slopes[:, None, None] * (at[-q.shape[2] :, None] - at).abs()
        return attended(softmax, q, k, v, visible(q.shape[2], k.shape[2]), bias), (k, v)

    return answer


WRONG_SOFTMAXES.name_in(exercise, _answer_with)
