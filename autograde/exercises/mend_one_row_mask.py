"""Exercise mend_one_row_mask: a causal mask that hides the whole cache."""

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="mend_one_row_mask",
    chapter="08_kv_cache",
    title=Text(en="Mend: the mask that hides the cache", zh="修错：遮住缓存的掩码"),
    task=Text(
        en=r"""Mend `triangle_from_the_top`: causal attention where the queries are the *last* `Lq`
of `Lk` tokens. It must be right for the whole text (`Lq == Lk`), for a piece of it, and for one new
token.

In: `q` `(B, H, Lq, D)`, `k`, `v` `(B, H, Lk, D)` with `Lq <= Lk`. Out: `(B, H, Lq, D)`.""",
        zh=r"""修好`triangle_from_the_top`：因果注意力，查询是`Lk`个词元中的*最后*`Lq`个。整段文本
（`Lq == Lk`）、其中一块、单独一个新词元，都要对。

输入：`q`，形状`(B, H, Lq, D)`；`k`、`v`，形状`(B, H, Lk, D)`，`Lq <= Lk`。
输出：`(B, H, Lq, D)`。""",
    ),
    signature="mend_one_row_mask(q, k, v) -> (B, H, Lq, D)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Write down the mask for one query and four keys: which entries are true in "
            "`torch.ones(1, 4).tril()`, and which should be?",
            zh="写出一个查询、四个键时的掩码：`torch.ones(1, 4).tril()`里哪些为真？哪些应该为真？",
        ),
        Text(
            en="The first query stands at Lk − Lq, not at 0: the diagonal begins there.",
            zh="第一个查询站在Lk − Lq，不在0：对角线从那里开始。",
        ),
        Text(
            en="`torch.ones(Lq, Lk, dtype=torch.bool).tril(Lk - Lq)` as `attn_mask`.",
            zh="`torch.ones(Lq, Lk, dtype=torch.bool).tril(Lk - Lq)`，作为`attn_mask`传入。",
        ),
    ),
)


def _draw(rng: torch.Generator, queries: int, keys: int) -> tuple[Tensor, Tensor, Tensor]:
    q = torch.randn(2, 3, queries, 4, generator=rng)
    k, v = torch.randn(2, 2, 3, keys, 4, generator=rng)
    return q, k, v


def _want(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    first = k.shape[2] - q.shape[2]
    rows = []
    for t in range(q.shape[2]):
        end = first + t + 1  # query t sees the keys before `end`
        scores = q[:, :, t : t + 1] @ k[:, :, :end].transpose(-1, -2) / q.shape[-1] ** 0.5
        rows.append(scores.softmax(-1) @ v[:, :, :end])
    return torch.cat(rows, 2)


@exercise.check(en="one vector for each query", zh="每个查询一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_draw(rng, 2, 5)), (2, 3, 2, 4))


@exercise.check(en="the whole text at once is as before", zh="一次算整段文本，与原来相同")
def whole(answer: Function, rng: torch.Generator) -> None:
    given = _draw(rng, 6, 6)
    expect_close(answer(*given), _want(*given))


@exercise.check(en="one new token sees every key", zh="一个新词元看得到所有的键", weight=3)
def one(answer: Function, rng: torch.Generator) -> None:
    for keys in (1, 2, 9):
        given = _draw(rng, 1, keys)
        expect_close(answer(*given), _want(*given))


@exercise.check(
    en="several new tokens see the cache, and not ahead",
    zh="几个新词元看得到缓存，看不到后面",
    weight=2,
)
def several(answer: Function, rng: torch.Generator) -> None:
    for queries, keys in ((3, 7), (2, 3), (4, 20)):
        given = _draw(rng, queries, keys)
        expect_close(answer(*given), _want(*given))


def _masked(q: Tensor, k: Tensor, v: Tensor, diagonal: int) -> Tensor:
    seen = torch.ones(q.shape[2], k.shape[2]).tril(diagonal).bool()
    return scaled_dot_product_attention(q, k, v, attn_mask=seen)


@exercise.misconception(
    en="Mended for one new token alone. For several the triangle still begins at the top left, and "
    "they miss the later keys of the cache and their own.",
    zh="只修好了单独一个新词元的情形。来几个时，三角形还从左上角开始："
    "它们看不到缓存靠后的键，也看不到自己的键。",
)
def only_when_several(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v, is_causal=q.shape[2] > 1)


@exercise.misconception(
    en="Still the broken version: the triangle begins at the top left, and one new token sees "
    "key 0 alone.",
    zh="还是有错的那个版本：三角形从左上角开始，单独一个新词元只看得到键0。",
)
def unchanged(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _masked(q, k, v, 0)


@exercise.misconception(
    en="The mask is dropped as soon as there is a cache: right for one token or the whole text, "
    "wrong for a piece, whose tokens see ahead.",
    zh="只要有缓存就不加掩码：单个词元和整段文本都对，一次来一块就错了，块里的词元会看到后面。",
)
def only_without_cache(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v, is_causal=q.shape[2] == k.shape[2])


@exercise.misconception(
    en="The mask is gone. Right for one new token; several then see ahead.",
    zh="掩码整个去掉了。只有一个新词元时没错，来几个就会看到后面。",
)
def no_mask(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v)


@exercise.misconception(
    en="The diagonal is one too far to the right: every token sees the one after it.",
    zh="对角线偏右了一格：每个词元都看到了后面一个。",
)
def one_ahead(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _masked(q, k, v, k.shape[2] - q.shape[2] + 1)


@exercise.misconception(
    en="`attn_mask` got numbers: 1 and 0 are *added* to the scores and hide nothing. Give it "
    "booleans.",
    zh="`attn_mask`收到的是数：1和0会*加*到得分上，什么也没遮住。要传布尔值。",
)
def added_to_scores(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    seen = torch.ones(q.shape[2], k.shape[2]).tril(k.shape[2] - q.shape[2])
    return scaled_dot_product_attention(q, k, v, attn_mask=seen)


@exercise.misconception(
    en="The diagonal is one too far to the left: no token sees itself.",
    zh="对角线偏左了一格：谁也看不到自己。",
)
def one_behind(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _masked(q, k, v, k.shape[2] - q.shape[2] - 1)


@exercise.misconception(
    en="The mask is the wrong way round: in `attn_mask` *true* means that the key is seen.",
    zh="掩码反了：`attn_mask`里*真*表示看得到这个键。",
)
def mask_reversed(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    hidden = torch.ones(q.shape[2], k.shape[2]).triu(k.shape[2] - q.shape[2] + 1).bool()
    return scaled_dot_product_attention(q, k, v, attn_mask=hidden)


@exercise.misconception(
    en="The new tokens see only one another: the cached keys were cut off.",
    zh="新词元只看得到彼此：缓存的键被切掉了。",
)
def cache_cut_off(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    k, v = (x[:, :, -q.shape[2] :] for x in (k, v))
    return scaled_dot_product_attention(q, k, v, is_causal=True)
