"""Exercise clinic_grouped_heads: KV heads repeated in the wrong order."""

import torch
from torch import Tensor

from autograde.exercises._extreme_scores import (
    ROUNDED,
    WRONG_SOFTMAXES,
    Softmax,
    attended,
    extreme_texts,
)
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="clinic_grouped_heads",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: heads that read a stranger's keys",
        zh="改错：头读了别人的键",
    ),
    task=Text(
        en=r"""Fix `case_20`, causal attention with grouped queries: query head $h$ of $H$
reads KV head $\lfloor h\,H_{kv}/H\rfloor$, so neighbours share. Queries and keys are rotated
already.

In: `q` `(B, H, L, D)`, `k`, `v` `(B, Hkv, L, D)`, `H` a multiple of `Hkv`. Out: `(B, H, L, D)`.""",
        zh=r"""修好`case_20`：分组查询的因果注意力，
$H$个查询头中的第$h$个读KV头$\lfloor h\,H_{kv}/H\rfloor$，即相邻的头共用。查询和键都已旋转过。

输入：`q`，形状`(B, H, L, D)`；`k`、`v`，形状`(B, Hkv, L, D)`，`H`是`Hkv`的倍数。
输出：`(B, H, L, D)`。""",
    ),
    signature="clinic_grouped_heads(q, k, v) -> (B, H, L, D)",
    points=1,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="Call the KV heads 0 and 1. Which of them does query head 1 of 4 read?",
            zh="把KV头叫作0和1。4个查询头中的1号读哪一个？",
        ),
        Text(
            en="`repeat` lays whole copies side by side; you need each head several times in a "
            "row.",
            zh="`repeat`把整份拷贝并排放；你要的是每个头连着重复几次。",
        ),
        Text(
            en="torch has a method for that, too: its name says that the copies are interleaved.",
            zh="torch也有做这件事的方法：看名字就知道，拷贝是交错着放的（interleave）。",
        ),
    ),
)


@exercise.truth
def neighbours_share(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Return causal attention in which each KV head serves neighbouring query heads."""
    return _attention(q, k, v, _groups(q, k))


def _groups(q: Tensor, k: Tensor) -> Tensor:
    """Return which KV head each query head reads, (H,)."""
    return torch.arange(q.shape[1]) // (q.shape[1] // k.shape[1])


def _tiled(q: Tensor, k: Tensor) -> Tensor:
    return torch.arange(q.shape[1]) % k.shape[1]


def _attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    heads: Tensor,
    causal: bool = True,
    of_values: Tensor | None = None,
) -> Tensor:
    """Return attention of query head h to KV head heads[h], values of another if given."""
    keys, values = k[:, heads], v[:, heads if of_values is None else of_values]
    return torch.nn.functional.scaled_dot_product_attention(q, keys, values, is_causal=causal)


def _qkv(rng: torch.Generator, *sizes: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return q, k, v, whose axes are not in the order of memory; sizes: B, H, Hkv, L, D."""
    B, heads, kv_heads, L, D = sizes
    q = torch.randn(B, L, heads, D, generator=rng).transpose(1, 2)
    k, v = torch.randn(2, B, L, kv_heads, D, generator=rng).transpose(2, 3)
    return q, k, v


@exercise.check(en="one vector for each query head", zh="每个查询头一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    for B, heads, kv_heads, L, D in ((2, 6, 3, 5, 4), (1, 1, 1, 1, 2)):
        expect_shape(answer(*_qkv(rng, B, heads, kv_heads, L, D)), (B, heads, L, D))


@exercise.check(
    en="a KV head is read by its own group alone", zh="一个KV头只被自己那一组读", weight=2
)
def group(answer: Function, rng: torch.Generator) -> None:
    q, k, v = _qkv(rng, 2, 4, 2, 5, 4)
    before = expect_shape(answer(q, k, v), (2, 4, 5, 4))
    other = k.clone()
    other[:, 1] = 0
    after = expect_shape(answer(q, other, v), (2, 4, 5, 4))
    changed = ((after - before).abs().amax((0, 2, 3)) > 1e-6).tolist()
    expect(
        changed == [False, False, True, True],
        f"query heads {[h for h in range(4) if changed[h]]} read KV head 1, expected [2, 3]",
        f"读KV头1的是查询头{[h for h in range(4) if changed[h]]}，应为[2, 3]",
    )


@exercise.check(en="equals attention head by head", zh="与逐头计算的注意力相同", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    kv_heads, groups, length = torch.randint(2, 6, (3,), generator=rng).tolist()
    for sizes in (
        (2, 6, 3, 5, 4),
        (1, kv_heads * groups, kv_heads, length + 4, 6),
        (2, 4, 1, 1, 8),
        (1, 3, 3, 130, 2),
    ):
        expect_agreement(answer, exercise.true_answer, *_qkv(rng, *sizes))
    for text in extreme_texts(rng, 5):
        expect_agreement(answer, exercise.true_answer, *text, rtol=ROUNDED)


@exercise.misconception(
    en="Still as in the broken version: the query heads read the KV heads 0 1 0 1, not 0 0 1 1. "
    "Shapes agree, and so do prefill and decoding.",
    zh="还和有错的那个版本一样：各查询头读的KV头是0 1 0 1，应为0 0 1 1。形状对得上，"
    "预填充与解码也一致。",
)
def unchanged(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q, k, v, _tiled(q, k))


@exercise.misconception(
    en="The keys are mended, but the values are still tiled: some query heads weigh with one KV "
    "head's keys and sum a different one's values.",
    zh="键修好了，值还是平铺的：有些查询头用一个KV头的键算权重，却对另一个KV头的值求和。",
)
def values_tiled(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q, k, v, _groups(q, k), of_values=_tiled(q, k))


@exercise.misconception(
    en="The values are mended, but the keys are still tiled: some query heads weigh with one KV "
    "head's keys and sum a different one's values.",
    zh="值修好了，键还是平铺的：有些查询头用一个KV头的键算权重，却对另一个KV头的值求和。",
)
def keys_tiled(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q, k, v, _tiled(q, k), of_values=_groups(q, k))


@exercise.misconception(
    en="All query heads read KV head 0.",
    zh="所有查询头读的都是KV头0。",
)
def first_head(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q, k, v, torch.zeros(q.shape[1], dtype=torch.int64))


@exercise.misconception(
    en="The heads are right, but the causal mask got lost.",
    zh="头对了，因果掩码却丢了。",
)
def no_mask(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q, k, v, _groups(q, k), causal=False)


@exercise.misconception(
    en="The heads are right, but the scores are not divided by √D: too much weight goes to the "
    "best key.",
    zh="头对了，得分却没有除以√D：最匹配的键拿走了太多权重。",
)
def not_divided(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q * q.shape[3] ** 0.5, k, v, _groups(q, k))


@exercise.misconception(
    en="The tokens were repeated, along axis 2, and `view` then cut the numbers again. Repeat the "
    "heads, axis 1.",
    zh="你沿第2轴重复了词元，再用`view`把数字重新切分。要重复的是头，即第1轴。",
)
def tokens_repeated(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    repeats = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(repeats, dim=2).reshape(q.shape) for x in (k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


@exercise.misconception(
    en="Each KV head is repeated as often as there are KV heads. It has to be repeated once for "
    "each query head that shares it: `q.shape[1] // k.shape[1]` times.",
    zh="每个KV头重复的次数等于KV头的个数。应当等于共用它的查询头的个数：`q.shape[1] // "
    "k.shape[1]`次。",
)
def repeated_by_key_heads(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q, k, v, torch.arange(q.shape[1]) // k.shape[1])


@exercise.misconception(
    en="The mask is the wrong way round, `triu` for `tril`: a token sees itself and what follows.",
    zh="掩码反了，该用`tril`的地方用了`triu`：词元看见的是自己和后面的词元。",
)
def past_hidden(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    heads = _groups(q, k)
    mask = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).triu()
    return torch.nn.functional.scaled_dot_product_attention(
        q, k[:, heads], v[:, heads], attn_mask=mask
    )


@exercise.misconception(
    en="Without `dim`, `repeat_interleave` lays out all numbers in one long row first. Repeat the "
    "heads: `dim=1`.",
    zh="`repeat_interleave`不写`dim`，就先把所有数排成长长的一行。要重复的是头：`dim=1`。",
)
def repeated_without_dim(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1]) for x in (k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def _answer_with(softmax: Softmax) -> Function:
    def answer(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        heads, seen = _groups(q, k), torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).tril()
        return attended(softmax, q, k[:, heads], v[:, heads], seen)

    return answer


WRONG_SOFTMAXES.name_in(exercise, _answer_with)
