"""Exercise rope_decode_step: one new token against a cache of rotated keys."""

import torch
from torch import Tensor

from autograde.exercises._extreme_scores import ROUNDED, attended, extreme_texts, overflow
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_tensor
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="rope_decode_step",
    chapter="08_kv_cache",
    title=Text(en="One step with RoPE", zh="用RoPE解码一步"),
    task=Text(
        en=r"""Each row of a batch gets a new token. The cached keys are rotated already, each at
its own position. Rotate what has to be rotated (half-split layout: channels $i$ and $i+D/2$ are a
pair, which turns by $p\,\omega_i$), append, attend to all columns (scores divided by $\sqrt D$).

In: `q`, `k`, `v` `(B, H, 1, D)`, not rotated; `keys`, `values` `(B, H, L, D)`; `position` `(B,)`,
where each row's new token is (not always `L`); `omega` `(D/2,)`.
Out: `(out, keys, values)`, `(B, H, 1, D)` and twice `(B, H, L + 1, D)`.""",
        zh=r"""批次里每一行来一个新词元。缓存里的键已按各自的位置旋转过。旋转该旋转的
（前后半排布：通道$i$与$i+D/2$为一对，转$p\,\omega_i$），追加，
再对所有列做注意力（得分除以$\sqrt D$）。

输入：`q`、`k`、`v`，形状`(B, H, 1, D)`，未旋转；`keys`、`values`，形状`(B, H, L, D)`；
`position`，形状`(B,)`，即每行新词元的位置（不一定是`L`）；`omega`，形状`(D/2,)`。
输出：`(out, keys, values)`，形状为`(B, H, 1, D)`和两个`(B, H, L + 1, D)`。""",
    ),
    signature="rope_decode_step(q, k, v, keys, values, position, omega) -> (out, keys, values)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="What is new in this step: one query, one key, one value. Which of the three turn? "
            "Do the cached keys turn again?",
            zh="这一步新来的只有一个查询、一个键、一个值。三者中哪些要转？缓存里的键还要再转吗？",
        ),
        Text(
            en="`angles = position[:, None, None, None] * omega` has the shape (B, 1, 1, D/2) and "
            "serves query and key alike.",
            zh="`angles = position[:, None, None, None] * omega`的形状是(B, 1, 1, D/2)，"
            "查询和键都用它。",
        ),
        Text(
            en="With a, b = x.chunk(2, dim=-1) x becomes cat((a cos − b sin, a sin + b cos)). "
            "Append the turned k and the plain v; one token needs no causal mask.",
            zh="a, b = x.chunk(2, dim=-1)，旋转后的x是cat((a cos − b sin, a sin + b cos))。"
            "追加旋转后的k和原样的v；只有一个词元，不需要因果掩码。",
        ),
    ),
)


@exercise.truth
def turn_append_attend(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    """Return one step: query and key turn, as complex numbers, the value does not."""
    at = position[:, None]
    return _step(_turn(q, at, omega), _turn(k, at, omega), v, keys, values)


def _turn(x: Tensor, at: Tensor, omega: Tensor) -> Tensor:
    """Turn (B, H, L, D) at positions (B, L) as complex numbers."""
    factor = torch.exp(1j * at[:, None, :, None].double() * omega.double())
    turned = torch.complex(*x.double().chunk(2, dim=-1)) * factor
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


def _attended(q: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1) @ values


def _step(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    keys, values = torch.cat((keys, k), 2), torch.cat((values, v), 2)
    return _attended(q, keys, values), keys, values


def _draw(
    rng: torch.Generator, batch: int = 2, heads: int = 3, past: int = 5, dim: int = 6
) -> tuple[Tensor, ...]:
    """Return a step at positions that differ from row to row and from the number of columns."""
    new = torch.randn(3, batch, 1, heads, dim, generator=rng).transpose(2, 3)
    old = torch.randn(2, batch, past, heads, dim, generator=rng).transpose(2, 3)
    start = past + 2 if dim > 2 else 1_000_000  # far away where ω = 1 alone: such angles are exact
    position = start + torch.randperm(20, generator=rng)[:batch]
    if batch > 1:
        position[0] = past // 2  # a row with padding: less than its column
    base = torch.randint(50, 200, (), generator=rng)
    return (*new, *old, position, base ** (-torch.arange(0, dim, 2) / dim))


def _cases(rng: torch.Generator) -> list[tuple[Tensor, ...]]:
    heads, past = torch.randint(2, 7, (2,), generator=rng).tolist()
    sizes = ((2, heads, past), (3, 1, past, 8), (1, heads, 210 + past, 2), (1, 1, 1))
    return [_draw(rng, *size) for size in sizes]


def _three(got: object) -> tuple[Tensor, Tensor, Tensor]:
    expect(
        isinstance(got, tuple | list) and len(got) == 3,
        "it should return three tensors: out, keys, values",
        "要返回三样东西：out、keys、values",
    )
    return got


def _grown(got: object, keys: Tensor) -> Tensor:
    """Return the keys of an answer; raise `Wrong` if each row of the batch made a column."""
    batch, _, past, _ = keys.shape
    got = expect_tensor(got)
    expect(
        batch == 1 or got.dim() != 4 or got.shape[2] != past + batch,
        f"the keys grew by {batch} columns, as many as the batch has rows, and not by one: do your "
        "angles, (B, D/2), lack the axes of the heads and of the query, `[:, None, None]`?",
        f"键多了{batch}列，批次有几行就多了几列，本应只多一列：角度的形状(B, D/2)里，"
        "是不是少了头和查询这两个轴，即`[:, None, None]`？",
    )
    return got


@exercise.check(en="the values are stored as they are", zh="值原样存入")
def stores_values(answer: Function, rng: torch.Generator) -> None:
    for inputs in _cases(rng):
        expect_close(_three(answer(*inputs))[2], exercise.true_answer(*inputs)[2])


@exercise.check(
    en="the new key is rotated once, the cached ones are left alone",
    zh="新键转一次，缓存里的键不动",
    weight=2,
)
def stores_keys(answer: Function, rng: torch.Generator) -> None:
    for inputs in _cases(rng):
        got = _grown(_three(answer(*inputs))[1], inputs[3])
        expect_close(got, exercise.true_answer(*inputs)[1], atol=1e-4)


@exercise.check(
    en="the output is attention of the rotated query over all keys",
    zh="输出是旋转后的查询对所有键做注意力",
    weight=3,
)
def attends(answer: Function, rng: torch.Generator) -> None:
    for inputs in _cases(rng):
        expect_close(_three(answer(*inputs))[0], exercise.true_answer(*inputs)[0], atol=1e-4)
    for text in extreme_texts(rng, 5):
        (_, q), (keys, k), (values, v) = (x.split((4, 1), 2) for x in text)
        inputs = q, k, v, keys, values, torch.tensor([4]), 10.0 ** -torch.arange(8)
        expect_close(_three(answer(*inputs))[0], exercise.true_answer(*inputs)[0], rtol=ROUNDED)


@exercise.check(
    en="step by step it gives what one pass over the text gives",
    zh="一步步解码，与一次算完整段文本结果相同",
    weight=2,
)
def like_one_pass(answer: Function, rng: torch.Generator) -> None:
    q, k, v = torch.randn(3, 1, 2, 6, 4, generator=rng)
    omega, at = torch.tensor([1.0, 0.1]), torch.arange(6)[None]
    turned_q, turned_k = (_turn(x, at, omega) for x in (q, k))
    keys, values = turned_k[:, :, :3], v[:, :, :3]
    for t in range(3, 6):
        new = (x[:, :, t : t + 1] for x in (q, k, v))
        step = _three(answer(*new, keys, values, torch.tensor([t]), omega))
        out, keys, values = (expect_tensor(x).detach() for x in step)
        want = _attended(turned_q[:, :, t : t + 1], turned_k[:, :, : t + 1], v[:, :, : t + 1])
        expect_close(out, want)


@exercise.misconception(
    en="The new token was turned as if it were at 0, that is, not at all: every distance is wrong "
    "by the length of the text, and no error is raised.",
    zh="新词元按位置0旋转，也就是根本没转：每个距离都差了整段文本的长度，还不会报错。",
)
def at_zero(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    return _step(q, k, v, keys, values)


@exercise.misconception(
    en="You masked columns by `column <= position`. Where a row has padding, a position is less "
    "than its column, and the newest keys are hidden, the token's own too. All columns are seen.",
    zh="你用`column <= position`（拿列号当位置）做了掩码。行里有填充时，位置小于列号，"
    "最新的几个键连同词元自己的都被遮住了。这里所有的列都看得到。",
)
def columns_for_positions(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = position[:, None]
    keys = torch.cat((keys, _turn(k, at, omega)), 2)
    values = torch.cat((values, v), 2)
    seen = (torch.arange(keys.shape[2]) <= at)[:, None, None]
    scores = _turn(q, at, omega) @ keys.mT / q.shape[-1] ** 0.5
    return scores.masked_fill(~seen, -torch.inf).softmax(-1) @ values, keys, values


@exercise.misconception(
    en="The cached keys were turned again: a key of position p then is at a place further on, "
    "and further again in every step.",
    zh="缓存里的键又转了一遍：位置p的键跑到了更远处，而且每一步都会再远一些。",
)
def turns_all(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = position[:, None]
    keys, values = torch.cat((keys, k), 2), torch.cat((values, v), 2)
    keys = _turn(keys, at.expand(-1, keys.shape[2]), omega)
    return _attended(_turn(q, at, omega), keys, values), keys, values


@exercise.misconception(
    en="The new key went into the cache without its rotation: this step and all later ones see it "
    "as a token at position 0.",
    zh="新键没旋转就进了缓存：这一步和以后每一步都把它当成位置0的词元。",
)
def plain_key(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    return _step(_turn(q, position[:, None], omega), k, v, keys, values)


@exercise.misconception(
    en="The value is rotated too. Nothing turns it back: the output carries the absolute position.",
    zh="值也旋转了。没有东西把它转回来，输出里就带上了绝对位置。",
)
def turns_value(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    q, k, v = (_turn(x, position[:, None], omega) for x in (q, k, v))
    return _step(q, k, v, keys, values)


@exercise.misconception(
    en="You used the number of cached columns as the position. With padding or eviction that is "
    "not where the token is: use `position`.",
    zh="你把缓存的列数当成了位置。有填充或驱逐时词元并不在那个位置，请用`position`。",
)
def counts_columns(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = torch.full_like(position, keys.shape[2])[:, None]
    return _step(_turn(q, at, omega), _turn(k, at, omega), v, keys, values)


@exercise.misconception(
    en="The key is turned, but the query is not: it scores the keys as if it were at 0.",
    zh="键转了，查询没转：它像位置为0那样给各个键打分。",
)
def plain_query(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    return _step(q, _turn(k, position[:, None], omega), v, keys, values)


@exercise.misconception(
    en="You paired channels 2i and 2i + 1, the interleaved layout. The cached keys are half-split: "
    "channels i and i + D/2 are a pair.",
    zh="你把通道2i与2i + 1当成一对，那是交错排布。缓存里的键是前后半排布：通道i与i + D/2为一对。",
)
def interleaved(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    def turned(x: Tensor) -> Tensor:
        halves = torch.cat((x[..., ::2], x[..., 1::2]), dim=-1)
        pairs = _turn(halves, position[:, None], omega).chunk(2, dim=-1)
        return torch.stack(pairs, dim=-1).flatten(-2)

    return _step(turned(q), turned(k), v, keys, values)


@exercise.misconception(
    en="All rows were turned by the position of the first row; each row has its own.",
    zh="所有行都按第一行的位置旋转了，而每一行有自己的位置。",
)
def first_row(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = position[:1].expand_as(position)[:, None]
    return _step(_turn(q, at, omega), _turn(k, at, omega), v, keys, values)


@exercise.misconception(
    en="Your angles have the shape (B, D/2), without axes for the heads and the query. Against "
    "(B, H, 1, D/2) they broadcast to (B, H, B, D/2): B new keys instead of one, and keys and "
    "values no longer fit. `position[:, None, None, None] * omega` has all four axes.",
    zh="角度的形状是(B, D/2)，少了头和查询这两个轴。它与(B, H, 1, D/2)广播成(B, H, B, D/2)："
    "新键从一个变成B个，键和值的列数就对不上了。"
    "`position[:, None, None, None] * omega`四个轴俱全。",
)
def rows_for_columns(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    cos, sin = (position[:, None] * omega).cos(), (position[:, None] * omega).sin()

    def turned(x: Tensor) -> Tensor:
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)

    return _step(turned(q), turned(k), v, keys, values)


@exercise.misconception(
    en="You attended with the turned key and stored the plain one: this step is right, but all "
    "later ones are wrong. Store what was turned.",
    zh="做注意力时用的是转过的键，存进去的却是没转的：这一步对，以后每一步都错。要存转过的。",
)
def stores_plain(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = position[:, None]
    out, _, values = _step(_turn(q, at, omega), _turn(k, at, omega), v, keys, values)
    return out, torch.cat((keys, k), 2), values


@exercise.misconception(
    en="The one query was masked like the first row of a text (`is_causal=True`): it sees column 0 "
    "alone. The newest token may see everything; leave the causal mask out.",
    zh="唯一的查询被当成文本的第一行来掩码了（`is_causal=True`）：它只看得到第0列。"
    "最新的词元什么都能看，不要加因果掩码。",
)
def sees_column_zero(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    _, keys, values = _step(q, _turn(k, position[:, None], omega), v, keys, values)
    return values[:, :, :1], keys, values


@exercise.misconception(
    en="The scores are not divided by √D, so the softmax is too sharp.",
    zh="得分没有除以√D，softmax因此过于尖锐。",
)
def not_scaled(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = position[:, None]
    sharper = _turn(q, at, omega) * q.shape[-1] ** 0.5
    return _step(sharper, _turn(k, at, omega), v, keys, values)


@exercise.misconception(
    en="Off by one: the new token was turned by position + 1. `position` is where the new token "
    "is, not where the last cached one is.",
    zh="差了1：新词元按position + 1转了。`position`就是它自己的位置，不是缓存里最后一个词元的。",
)
def off_by_one(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = position[:, None] + 1
    return _step(_turn(q, at, omega), _turn(k, at, omega), v, keys, values)


@exercise.misconception(
    en="You turned clockwise: in (a cos − b sin, a sin + b cos) the signs of the sines are "
    "exchanged. The cached keys have turned the other way, so the distances are wrong.",
    zh="你转成了顺时针：(a cos − b sin, a sin + b cos)里两个sin的符号弄反了。"
    "缓存里的键是往另一个方向转的，距离就错了。",
)
def clockwise(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = -position[:, None]
    return _step(_turn(q, at, omega), _turn(k, at, omega), v, keys, values)


@exercise.misconception(
    en="You joined first and turned all keys by their columns: the cached ones, turned twice, "
    "are elsewhere now. Turn the new key, then join.",
    zh="你先拼接，再按列号把所有键转了一遍：缓存里的键转了两次，位置全错了。应先转新键，再拼接。",
)
def turned_by_columns(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    keys, values = torch.cat((keys, k), 2), torch.cat((values, v), 2)
    keys = _turn(keys, torch.arange(keys.shape[2]).expand(len(keys), -1), omega)
    return _attended(_turn(q, position[:, None], omega), keys, values), keys, values


@exercise.misconception(
    en="You attended to the cache without the new key: the token does not see itself.",
    zh="你只对缓存做了注意力，没有接上新的键：词元看不到自己。",
)
def without_itself(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = position[:, None]
    _, grown, longer = _step(q, _turn(k, at, omega), v, keys, values)
    return _attended(_turn(q, at, omega), keys, values), grown, longer


@exercise.misconception(
    en="The three are in the wrong order: the output comes first, `return out, keys, values`.",
    zh="三样东西的次序不对：输出在最前面，`return out, keys, values`。",
)
def cache_first(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    out, keys, values = turn_append_attend(q, k, v, keys, values, position, omega)
    return keys, values, out


@exercise.misconception(
    en="exp overflows in float32 beyond 88, and inf/inf is NaN. Subtract the largest score of the "
    "row first, as torch.softmax does.",
    zh="float32的exp超过88就会溢出，inf/inf得NaN。先减去该行的最大得分，torch.softmax就是这样做的。",
)
def without_the_maximum(
    q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, position: Tensor, omega: Tensor
) -> tuple[Tensor, ...]:
    at = position[:, None]
    _, keys, values = _step(q, _turn(k, at, omega), v, keys, values)
    everything = torch.ones(1, keys.shape[2], dtype=torch.bool)
    return attended(overflow, _turn(q, at, omega), keys, values, everything), keys, values
