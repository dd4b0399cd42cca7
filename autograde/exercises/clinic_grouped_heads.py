"""Exercise clinic_grouped_heads: key heads repeated in the wrong order."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_grouped_heads",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: heads that read a stranger's keys",
        zh="修错：读了别人键的头",
    ),
    task=Text(
        en=r"""Mend `case_20`, causal attention with grouped queries: query head $h$ of $H$
reads key head $\lfloor h\,H_{kv}/H\rfloor$, so neighbours share. Queries and keys are rotated
already.

In: `q` `(B, H, L, D)`, `k`, `v` `(B, Hkv, L, D)`, `H` a multiple of `Hkv`. Out: `(B, H, L, D)`.""",
        zh=r"""修好`case_20`：分组查询的因果注意力，
$H$个查询头中的第$h$个读键头$\lfloor h\,H_{kv}/H\rfloor$，即相邻的头共用。查询和键都已旋转过。

输入：`q`，形状`(B, H, L, D)`；`k`、`v`，形状`(B, Hkv, L, D)`，`H`是`Hkv`的倍数。
输出：`(B, H, L, D)`。""",
    ),
    signature="clinic_grouped_heads(q, k, v) -> (B, H, L, D)",
    points=1,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="Call the key heads 0 and 1. Which of them does query head 1 of 4 read?",
            zh="把键头叫作0和1。4个查询头中的1号读哪一个？",
        ),
        Text(
            en="`repeat` lays whole copies side by side; you need each head several times in a "
            "row.",
            zh="`repeat`把整份拷贝并排放；你要的是每个头连着重复几次。",
        ),
        Text(
            en="`k.repeat_interleave(H // Hkv, dim=1)`.",
            zh="`k.repeat_interleave(H // Hkv, dim=1)`。",
        ),
    ),
)


def _given(rng: torch.Generator, heads: int, kv_heads: int) -> tuple[Tensor, Tensor, Tensor]:
    q = torch.randn(2, heads, 5, 4, generator=rng)
    k, v = torch.randn(2, 2, kv_heads, 5, 4, generator=rng)
    return q, k, v


@exercise.check(en="one vector for each query head", zh="每个查询头一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_given(rng, 6, 3)), (2, 6, 5, 4))


@exercise.check(
    en="a key head is read by its own group alone", zh="一个键头只被自己那一组读", weight=2
)
def group(answer: Function, rng: torch.Generator) -> None:
    q, k, v = _given(rng, 4, 2)
    before = expect_shape(answer(q, k, v), (2, 4, 5, 4))
    other = k.clone()
    other[:, 1] = 0
    after = expect_shape(answer(q, other, v), (2, 4, 5, 4))
    changed = ((after - before).abs().amax((0, 2, 3)) > 1e-6).tolist()
    expect(
        changed == [False, False, True, True],
        f"query heads {[h for h in range(4) if changed[h]]} read key head 1, expected [2, 3]",
        f"读键头1的是查询头{[h for h in range(4) if changed[h]]}，应为[2, 3]",
    )


@exercise.check(en="equals attention head by head", zh="与逐头计算的注意力相同", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for heads, kv_heads in ((4, 2), (6, 3), (4, 1), (3, 3)):
        q, k, v = _given(rng, heads, kv_heads)
        read = torch.tensor([h * kv_heads // heads for h in range(heads)])
        expect_close(answer(q, k, v), _attention(q, k, v, read))


def _attention(q: Tensor, k: Tensor, v: Tensor, read: Tensor, causal: bool = True) -> Tensor:
    return torch.nn.functional.scaled_dot_product_attention(
        q, k[:, read], v[:, read], is_causal=causal
    )


@exercise.misconception(
    en="Still the broken version: the key heads are tiled, 0 1 0 1, instead of 0 0 1 1. Shapes "
    "agree, and so do prefill and decoding.",
    zh="还是有错的那个版本：键头整份平铺成0 1 0 1，应为0 0 1 1。形状对得上，预填充与解码也一致。",
)
def unchanged(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q, k, v, torch.arange(q.shape[1]) % k.shape[1])


@exercise.misconception(
    en="The keys are mended, the values are still tiled: each head weighs with one head's keys and "
    "sums another's values.",
    zh="键修好了，值还是平铺的：每个头用一个头的键算权重，却对另一个头的值求和。",
)
def values_tiled(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    groups, tiled = q.shape[1] // k.shape[1], torch.arange(q.shape[1]) % k.shape[1]
    return _attention(q, k.repeat_interleave(groups, 1), v[:, tiled], torch.arange(q.shape[1]))


@exercise.misconception(
    en="All query heads read key head 0.",
    zh="所有查询头读的都是键头0。",
)
def first_head(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _attention(q, k, v, torch.zeros(q.shape[1], dtype=torch.int64))


@exercise.misconception(
    en="The heads are right, the causal mask got lost.",
    zh="头对了，因果掩码却丢了。",
)
def no_mask(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    read = torch.arange(q.shape[1]) // (q.shape[1] // k.shape[1])
    return _attention(q, k, v, read, causal=False)
