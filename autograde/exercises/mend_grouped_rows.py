"""Exercise mend_grouped_rows: a conversion of layouts that counts the KV heads wrongly."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="mend_grouped_rows",
    chapter="13_real_models",
    title=Text(en="Fix: rows of the wrong heads", zh="改错：别的头的行"),
    task=Text(
        en=r"""Fix `to_interleaved`, which moves a projection from the half-split layout to the
interleaved one. In a model with grouped queries it is called for queries and for keys alike, with
the same two numbers; which of them counts the heads of `weight`?

In: `weight` of shape `(h * D, d)`, where $h$ is `heads` or `kv_heads`; `is_key`, whether it makes
keys. Out: the same rows, pair after pair within each head.""",
        zh=r"""修好`to_interleaved`，它把投影矩阵从前后半排布改成交错排布。在分组查询的模型里，
查询和键都用它来转换，传入同样的两个数；`weight`有几个头，该看哪一个？

输入：`weight`形状为`(h * D, d)`，$h$是`heads`或`kv_heads`；`is_key`表示它是否产生键。
输出：同样的行，每个头之内一对接一对。""",
    ),
    signature="mend_grouped_rows(weight, heads, kv_heads, is_key) -> (h * D, d)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Llama 2 70B has 64 heads and 8 KV heads; TinyLlama has 32 and 4. For which of "
            "the two is `heads // kv_heads` the number of KV heads?",
            zh="Llama 2 70B有64个头、8个KV头；TinyLlama是32和4。哪一个的`heads // kv_heads`正好等"
            "于KV头数？",
        ),
        Text(
            en="What is cut into heads must be cut into as many as there are: a key projection "
            "into `kv_heads`.",
            zh="切成几个头，要看有几个头：键的投影矩阵切成`kv_heads`份。",
        ),
        Text(
            en="`h = kv_heads if is_key else heads`; the rest of the function is right.",
            zh="`h = kv_heads if is_key else heads`；函数的其余部分是对的。",
        ),
    ),
)


def _converted(weight: Tensor, h: int) -> Tensor:
    return weight.reshape(h, 2, -1, weight.shape[1]).transpose(1, 2).reshape(weight.shape)


@exercise.truth
def by_its_own_heads(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    """Return the rows in interleaved order, head by head."""
    return _converted(weight, kv_heads if is_key else heads)


Sizes = tuple[tuple[int, int, int], ...]  # heads, KV heads, D
GROUPED: Sizes = ((32, 4, 8), (6, 3, 4), (16, 4, 6), (6, 1, 10))
ALONE: Sizes = ((8, 8, 4), (3, 3, 6))


def _each(answer: Function, rng: torch.Generator, sizes: Sizes, *, is_key: bool) -> None:
    for heads, kv_heads, dim in sizes:
        rows = (kv_heads if is_key else heads) * dim
        for width, dtype in ((5, torch.float32), (1, torch.float64)):
            weight = torch.randn(rows, width, generator=rng, dtype=dtype)
            arguments = (weight, heads, kv_heads, is_key)
            got = expect_agreement(answer, exercise.true_answer, *arguments, rtol=0, atol=0)
            expect_dtype(got, dtype)


@exercise.check(en="keeps the shape", zh="形状不变")
def shape(answer: Function, rng: torch.Generator) -> None:
    for rows, is_key in ((48, False), (24, True)):
        weight = torch.randn(rows, 7, generator=rng)
        expect_shape(answer(weight, 8, 4, is_key), (rows, 7))


@exercise.check(
    en="queries: as many heads as the model has", zh="查询：模型有几个头就是几个", weight=2
)
def queries(answer: Function, rng: torch.Generator) -> None:
    _each(answer, rng, GROUPED + ALONE, is_key=False)


@exercise.check(en="keys: one head for each group", zh="键：每组一个头", weight=3)
def keys(answer: Function, rng: torch.Generator) -> None:
    _each(answer, rng, GROUPED, is_key=True)


@exercise.check(en="keys of a model without groups", zh="不分组的模型的键")
def keys_without_groups(answer: Function, rng: torch.Generator) -> None:
    _each(answer, rng, ALONE, is_key=True)


@exercise.misconception(
    en="Still the broken version: keys are cut into `heads // kv_heads` parts, the number of "
    "query heads in a group. For Llama 2 70B that is 64 // 8 = 8, right by chance.",
    zh="还是有错的那个版本：键被切成`heads // kv_heads`份，那是每组的查询头数。"
    "Llama 2 70B恰好64 // 8 = 8，碰巧对了。",
)
def unchanged(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    return _converted(weight, heads // kv_heads if is_key and heads != kv_heads else heads)


@exercise.misconception(
    en="Keys are cut into as many heads as there are query heads. Each piece then has too few "
    "rows, D divided by the size of a group, and pairs are made of channels that never belonged "
    "together.",
    zh="键也按查询头数来切：每块只有D除以组大小那么多行，凑成对的通道本不相干。",
)
def all_heads(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    return _converted(weight, heads)


@exercise.misconception(
    en="Queries are cut into KV heads as well. Queries have `heads` heads.",
    zh="查询也按KV头数来切了。查询有`heads`个头。",
)
def key_heads(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    return _converted(weight, kv_heads)


@exercise.misconception(
    en="`is_key` is taken the wrong way round: queries by `kv_heads`, keys by `heads`.",
    zh="`is_key`用反了：查询按`kv_heads`切，键按`heads`切。",
)
def swapped(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    return _converted(weight, heads if is_key else kv_heads)


@exercise.misconception(
    en="This is the way back, from interleaved to half-split.",
    zh="这是反方向的，从交错到前后半。",
)
def backwards(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    h = kv_heads if is_key else heads
    return weight.reshape(h, -1, 2, weight.shape[1]).transpose(1, 2).reshape(weight.shape)


@exercise.misconception(
    en="Keys are left as they are. Both projections move, or neither: a score pairs the channels "
    "of the two.",
    zh="键没有动。两个投影要么都转换，要么都不转：得分是两边通道一一相乘。",
)
def keys_left(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    return weight.clone() if is_key else _converted(weight, heads)


@exercise.misconception(
    en="This is right where a group has several query heads. A model without groups has as many "
    "KV heads as query heads, and needs no special case.",
    zh="分组时是对的；不分组的模型，KV头数就等于头数，不需要特殊处理。",
)
def one_head_without_groups(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    return _converted(weight, 1 if heads == kv_heads else kv_heads if is_key else heads)


@exercise.misconception(
    en="Keys are still cut into `heads // kv_heads` parts, and now without groups too, where that "
    "is 1. A key projection has `kv_heads` heads.",
    zh="键仍被切成`heads // kv_heads`份，现在不分组时也一样，那就只有1份。"
    "键的投影有`kv_heads`个头。",
)
def quotient_for_all(weight: Tensor, heads: int, kv_heads: int, is_key: bool) -> Tensor:
    return _converted(weight, heads // kv_heads if is_key else heads)
