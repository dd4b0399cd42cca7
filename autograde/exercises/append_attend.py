"""Exercise append_attend: new keys and values behind the old, then causal attention."""

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
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_tensor
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="append_attend",
    chapter="08_kv_cache",
    title=Text(en="Append and attend", zh="追加，再做注意力"),
    task=Text(
        en=r"""`past` tokens are cached, `new` tokens come in (one while decoding, many while
prefilling). Put their keys and values after the cached ones and attend causally: new token $t$
sees all cached keys and the new ones up to itself. Scores are divided by $\sqrt D$. Do not change
the inputs.

In: `q`, `k`, `v` `(B, H, new, D)`, `old_k`, `old_v` `(B, H, past, D)`, where `past` may be 0.
Out: `(out, keys, values)`, `(B, H, new, D)` and twice `(B, H, past + new, D)`.""",
        zh=r"""已缓存`past`个词元，新来`new`个（解码时一个，预填充时多个）。把新的键和值接到缓存后面，
再做因果注意力：第$t$个新词元看得到全部缓存的键，以及到它自己为止的新键。得分要除以$\sqrt D$。
不要改动传入的张量。

输入：`q`、`k`、`v`，形状`(B, H, new, D)`；`old_k`、`old_v`，形状`(B, H, past, D)`，`past`可以是0。
输出：`(out, keys, values)`，形状为`(B, H, new, D)`和两个`(B, H, past + new, D)`。""",
    ),
    signature="append_attend(q, k, v, old_k, old_v) -> (out, keys, values)",
    points=3,
    difficulty=2,
    minutes=15,
    hints=(
        Text(
            en="Draw the mask for 3 cached and 2 new tokens: a table with one row for each query. "
            "Which keys does each of the two see?",
            zh="缓存3个、新来2个词元时，把掩码画出来：每个查询一行。这两个词元各看得到哪些键？",
        ),
        Text(
            en="Join with `torch.cat((old_k, k), dim=-2)`. Query t is at past + t, key j at "
            "j: "
            "it sees j ≤ past + t.",
            zh="用`torch.cat((old_k, k), dim=-2)`拼接。查询t位于past + t，键j位于j："
            "看得到j ≤ past + t的键。",
        ),
        Text(
            en="`scores = q @ keys.mT / math.sqrt(q.shape[3])`, `seen = torch.arange(past + new) "
            "<= past + torch.arange(new)[:, None]`, then "
            "`scores.masked_fill(~seen, -torch.inf).softmax(-1) @ values`.",
            zh="`scores = q @ keys.mT / math.sqrt(q.shape[3])`，`seen = torch.arange(past + new) "
            "<= past + torch.arange(new)[:, None]`，然后"
            "`scores.masked_fill(~seen, -torch.inf).softmax(-1) @ values`。",
        ),
    ),
)


@exercise.truth
def append_then_attend(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    """Return what each new token sees, one after the other, and the longer cache."""
    keys, values = _joined(k, v, old_k, old_v)
    rows, past = [], old_k.shape[2]
    for t in range(q.shape[2]):
        end = past + t + 1  # new token t sees the keys before `end`
        scores = q[:, :, t : t + 1] @ keys[:, :, :end].mT / q.shape[3] ** 0.5
        rows.append(scores.softmax(-1) @ values[:, :, :end])
    return torch.cat(rows, dim=2), keys, values


def _joined(k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, Tensor]:
    return torch.cat((old_k, k), 2), torch.cat((old_v, v), 2)


def _draw(
    rng: torch.Generator, past: int, new: int, batch: int = 2, heads: int = 3, dim: int = 4
) -> tuple[Tensor, ...]:
    """Return q, k, v and the cache, as a projection gives them: heads behind tokens, transposed."""
    fresh = torch.randn(3, batch, new, heads, dim, generator=rng).transpose(2, 3)
    return (*fresh, *torch.randn(2, batch, past, heads, dim, generator=rng).transpose(2, 3))


def _sizes(rng: torch.Generator, low: int, high: int, count: int) -> list[int]:
    return torch.randint(low, high, (count,), generator=rng).tolist()


def _three(got: object) -> tuple[Tensor, Tensor, Tensor]:
    expect(
        isinstance(got, tuple | list) and len(got) == 3,
        "it should return three tensors: out, keys, values",
        "要返回三样东西：out、keys、values",
    )
    return got


@exercise.check(en="the cache grows at its end", zh="缓存在末尾变长", weight=2)
def grows(answer: Function, rng: torch.Generator) -> None:
    past, new = _sizes(rng, 2, 7, 2)
    for case in ((past, new), (past, 1), (0, new), (past, new, 1, 1)):
        inputs = _draw(rng, *case)
        _, keys, values = _three(answer(*inputs))
        _, true_keys, true_values = exercise.true_answer(*inputs)
        expect_close(keys, true_keys)
        expect_close(values, true_values)


@exercise.check(en="one new token sees every key", zh="一个新词元看得到所有的键", weight=2)
def decode(answer: Function, rng: torch.Generator) -> None:
    (past,) = _sizes(rng, 3, 9, 1)
    for case in ((past, 1), (210 + past, 1, 1, 2, 6), (past, 1, 1, 1, 1), (0, 1)):
        inputs = _draw(rng, *case)
        expect_close(_three(answer(*inputs))[0], exercise.true_answer(*inputs)[0])


@exercise.check(
    en="several new tokens do not see ahead of themselves",
    zh="一次来几个新词元，谁也看不到自己后面的词元",
    weight=2,
)
def prefill(answer: Function, rng: torch.Generator) -> None:
    past, new = _sizes(rng, 3, 8, 2)
    for case in ((past, new), (0, new), (210 + past, 2, 1, 1, 6), (0, 210 + new, 1, 2)):
        inputs = _draw(rng, *case)
        expect_close(_three(answer(*inputs))[0], exercise.true_answer(*inputs)[0])
    for text in extreme_texts(rng, past + new):
        (_, q), (old_k, k), (old_v, v) = (x.split((past, new), 2) for x in text)
        inputs = q, k, v, old_k, old_v
        expect_close(_three(answer(*inputs))[0], exercise.true_answer(*inputs)[0], rtol=ROUNDED)


@exercise.check(
    en="a text fed in three parts gives what it gives at once",
    zh="一段文本分三次送入，与一次送入结果相同",
    weight=2,
)
def in_parts(answer: Function, rng: torch.Generator) -> None:
    sizes = [*_sizes(rng, 2, 5, 2), 1]
    # behind a cache, so that no mistake hides all keys of a row: −∞ makes that NaN, −1e9 does not
    q, k, v, keys, values = _draw(rng, 2, sum(sizes))
    want = exercise.true_answer(q, k, v, keys, values)[0].split(sizes, 2)
    parts = zip(*(x.split(sizes, 2) for x in (q, k, v)), strict=True)
    for part, right in zip(parts, want, strict=True):
        out, keys, values = (
            x.detach() for x in map(expect_tensor, _three(answer(*part, keys, values)))
        )
        expect_close(out, right)


def _attended(q: Tensor, keys: Tensor, values: Tensor, seen: Tensor) -> tuple[Tensor, ...]:
    scores = q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5
    out = scores.masked_fill(~seen, -torch.inf).softmax(-1) @ values
    return out, keys, values


def _seen(q: Tensor, keys: Tensor) -> Tensor:
    return torch.ones(q.shape[2], keys.shape[2]).bool().tril(keys.shape[2] - q.shape[2])


@exercise.misconception(
    en="`is_causal=True` for several tokens, no mask for one: then one new token is right, but "
    "the "
    "triangle of several still begins at the top left, and behind a cache they miss its later "
    "keys and their own. Shift it by `past`.",
    zh="来几个时用`is_causal=True`，来一个时不加掩码：一个是对的，几个的三角形却还从左上角开始；"
    "前面有缓存时，它们看不到缓存靠后的键，也看不到自己的键。要把三角形右移`past`列。",
)
def triangle_for_several(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    several = q.shape[2] > 1
    return scaled_dot_product_attention(q, keys, values, is_causal=several), keys, values


# ahead of only_without_cache, which alone is right of several tokens without a cache
@exercise.misconception(
    en="There is no mask. Right for one new token, but while prefilling every token sees the ones "
    "after it.",
    zh="没有掩码。只来一个词元时没错，但预填充时每个词元都看到了它后面的词元。",
)
def no_mask(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    return _attended(q, keys, values, torch.ones(q.shape[2], keys.shape[2]).bool())


@exercise.misconception(
    en="The mask is dropped as soon as there is a cache. Right for one new token, but several new "
    "ones behind a cache see ahead of themselves.",
    zh="只要有缓存就不加掩码。只来一个词元时没错，但缓存后面一次来几个，它们会看到自己后面的词元。",
)
def only_without_cache(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    empty = old_k.shape[2] == 0
    return scaled_dot_product_attention(q, keys, values, is_causal=empty), keys, values


@exercise.misconception(
    en="The mask is a triangle from the *top left*, which is what `is_causal=True` gives: query "
    "t sees "
    "keys "
    "0 … t, so a single new token sees the first key alone. Shift the triangle by `past`.",
    zh="掩码的三角形从*左上角*开始，`is_causal=True`就是这样：查询t只看键0到t，"
    "单独一个新词元只看得到第一个键。要把三角形右移`past`列。",
)
def top_left(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    return _attended(q, keys, values, torch.ones(q.shape[2], keys.shape[2]).bool().tril())


@exercise.misconception(
    en="You attended to the new keys alone: the model forgets the text at every step.",
    zh="你只对新的键做了注意力：模型每走一步就把前文忘光。",
)
def forgets(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
    out, _, _ = _attended(q, k, v, torch.ones(q.shape[2], q.shape[2]).bool().tril())
    return out, *_joined(k, v, old_k, old_v)


@exercise.misconception(
    en="You attended to the cache without the new keys: no token sees itself.",
    zh="你只对缓存做了注意力，没有接上新的键：词元看不到自己。",
)
def without_itself(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    scores = q @ old_k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return scores.softmax(-1) @ old_v, *_joined(k, v, old_k, old_v)


@exercise.misconception(
    en="The new tokens come before the old ones; columns are then no longer in the order of "
    "the text.",
    zh="新词元接到了旧词元的前面，列的次序就不再是文本的次序了。",
)
def in_front(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
    keys, values = _joined(old_k, old_v, k, v)
    return _attended(q, keys, values, _seen(q, keys))


@exercise.misconception(
    en="The scores are not divided by √D, so the softmax is too sharp.",
    zh="得分没有除以√D，softmax因此过于尖锐。",
)
def not_scaled(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    return _attended(q * q.shape[-1] ** 0.5, keys, values, _seen(q, keys))


@exercise.misconception(
    en="What must not be seen got the score 0 instead of −∞: the softmax still gives it weight.",
    zh="不该看的地方得分填成了0，而不是−∞：softmax仍会给它权重。",
)
def masked_with_zero(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    scores = q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (scores * _seen(q, keys)).softmax(-1) @ values, keys, values


@exercise.misconception(
    en="The triangle is one column too wide: every new token but the last sees the one after it. "
    "Query t may look up to column past + t, and not further.",
    zh="三角形宽了一列：除最后一个外，每个新词元都看到了它后面的一个。查询t最多看到第past + t列。",
)
def one_ahead(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    seen = torch.ones(q.shape[2], keys.shape[2]).bool().tril(old_k.shape[2] + 1)
    return _attended(q, keys, values, seen)


@exercise.misconception(
    en="The triangle is one column too narrow, `<` instead of `≤`: no new token sees itself.",
    zh="三角形窄了一列，把`≤`写成了`<`：新词元看不到自己。",
)
def one_short(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    seen = torch.ones(q.shape[2], keys.shape[2]).bool().tril(old_k.shape[2] - 1)
    return _attended(q, keys, values, seen)


@exercise.misconception(
    en="The scores are divided by D, not by √D: the softmax is too even, most of all in wide "
    "heads.",
    zh="得分除以了D，而不是√D：softmax过于平均，头越宽越明显。",
)
def divided_by_dim(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    return _attended(q / q.shape[-1] ** 0.5, keys, values, _seen(q, keys))


@exercise.misconception(
    en="The scores are divided by the root of the number of keys. It is the root of D, the "
    "channels of a head.",
    zh="得分除以了键的个数的平方根。应除以D的平方根，D是每个头的通道数。",
)
def divided_by_keys(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    return _attended(q * (q.shape[3] / keys.shape[2]) ** 0.5, keys, values, _seen(q, keys))


@exercise.misconception(
    en="The softmax runs over the queries, axis −2: each key shares its weight among the new "
    "tokens. Every query should share 1 among the keys, axis −1.",
    zh="softmax沿着查询（第−2轴）做了：成了每个键把权重分给各个新词元。应是每个查询把1分给各个键，"
    "沿第−1轴。",
)
def over_queries(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    scores = q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5
    return scores.masked_fill(~_seen(q, keys), -torch.inf).softmax(-2) @ values, keys, values


@exercise.misconception(
    en="The mask came after the softmax: keys that must not be seen had their share of each row "
    "before they were set to 0, so all rows but the last sum to less than 1.",
    zh="掩码加在了softmax之后：不该看的键先分走了每行的一份权重，再被置0，于是除最后一行外，"
    "每行的和都不到1。",
)
def mask_after_the_softmax(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    scores = q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (scores.softmax(-1) * _seen(q, keys)) @ values, keys, values


@exercise.misconception(
    en="`attn_mask` got numbers: 1 and 0 are *added* to the scores and hide nothing. Give it "
    "booleans.",
    zh="`attn_mask`收到的是数：1和0会*加*到得分上，什么也没遮住。要传布尔值。",
)
def added_to_scores(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    mask = _seen(q, keys).float()
    return scaled_dot_product_attention(q, keys, values, attn_mask=mask), keys, values


@exercise.misconception(
    en="Keys and values are exchanged in what you return: the next step would attend to values "
    "and "
    "sum up keys.",
    zh="返回时键和值的次序弄反了：下一步就会拿值去算得分，再对键求和。",
)
def exchanged(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    out, _, _ = _attended(q, keys, values, _seen(q, keys))
    return out, values, keys


@exercise.misconception(
    en="The output is right, but only the new keys and values are returned: at the next step the "
    "cache has forgotten all earlier tokens. Return the joined ones.",
    zh="输出对了，但只返回了新的键和值：下一步，缓存就把更早的词元忘光了。要返回拼接之后的。",
)
def returns_the_new_alone(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    out, _, _ = _attended(q, keys, values, _seen(q, keys))
    return out, k, v


@exercise.misconception(
    en="The mask was multiplied by −∞ and added: where nothing is to be masked that is 0 · ∞, "
    "NaN. "
    "Use `masked_fill` or `torch.where`.",
    zh="你把掩码乘以−∞再加上去：不该遮的地方成了0·∞，也就是NaN。请用`masked_fill`或`torch.where`。",
)
def zero_times_infinity(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    mask = ~_seen(q, keys) * -torch.inf
    scores = q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (scores + mask).softmax(-1) @ values, keys, values


@exercise.misconception(
    en="`masked_fill` hides where the mask is True, and yours is True where a key is seen: turn it "
    "round with `~`. Where all keys are hidden, the softmax gives NaN.",
    zh="`masked_fill`遮住的是掩码为True的地方，你的掩码却是看得到处为True：用`~`取反。"
    "所有键都被遮住时，softmax得到NaN。",
)
def hides_the_seen(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    return _attended(q, keys, values, ~_seen(q, keys))


@exercise.misconception(
    en="The mask is the wrong way round: the keys that a token sees got the large negative number, "
    "and those that it must not see were left. (`masked_fill` hides where its mask is True: `~` "
    "turns one round.)",
    zh="掩码反了：看得到的键填上了很大的负数，不该看的反而留着。"
    "（`masked_fill`遮住的是掩码为True的地方，用`~`取反。）",
)
def hides_the_seen_by_a_number(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    scores = q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5
    return scores.masked_fill(_seen(q, keys), -1e9).softmax(-1) @ values, keys, values


@exercise.misconception(
    en="The mask is the wrong way round: in `attn_mask` *true* means that the key is seen.",
    zh="掩码反了：`attn_mask`里*真*表示看得到这个键。",
)
def mask_reversed(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    hidden = ~_seen(q, keys)
    return scaled_dot_product_attention(q, keys, values, attn_mask=hidden), keys, values


@exercise.misconception(
    en="The weights sum up the keys. They belong to the values: `weights @ values`.",
    zh="权重乘在了键上。它们要乘的是值：`weights @ values`。",
)
def sums_the_keys(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    out, _, _ = _attended(q, keys, keys, _seen(q, keys))
    return out, keys, values


@exercise.misconception(
    en="You divided the new keys by √D, not the scores: the keys that the cache holds already stay "
    "undivided, and what you store is not k any more. Divide the scores.",
    zh="你除以√D的是新键，不是得分：缓存里已有的键没有除，存进去的也不再是k本身。要除的是得分。",
)
def stores_scaled_keys(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k / q.shape[-1] ** 0.5, v, old_k, old_v)
    scale = q.shape[-1] ** 0.5  # which _attended divides by
    return _attended(q * scale, keys, values, _seen(q, keys))


@exercise.misconception(
    en="The triangle among the new tokens is the wrong way round: each sees itself and those "
    "after it. Behind the cache it is `tril`, not `triu`.",
    zh="新词元之间的三角形反了：每个词元看到的是自己和后面的。缓存之后的这一块应是`tril`，"
    "不是`triu`。",
)
def triangle_upside_down(
    q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor
) -> tuple[Tensor, ...]:
    keys, values = _joined(k, v, old_k, old_v)
    seen = torch.ones(q.shape[2], keys.shape[2]).bool().triu(old_k.shape[2])
    seen[:, : old_k.shape[2]] = True
    return _attended(q, keys, values, seen)


def _answer_with(softmax: Softmax) -> Function:
    def answer(q: Tensor, k: Tensor, v: Tensor, old_k: Tensor, old_v: Tensor) -> tuple[Tensor, ...]:
        keys, values = _joined(k, v, old_k, old_v)
        return attended(softmax, q, keys, values, _seen(q, keys)), keys, values

    return answer


WRONG_SOFTMAXES.name_in(exercise, _answer_with)
