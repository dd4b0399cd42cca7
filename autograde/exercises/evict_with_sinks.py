"""Exercise evict_with_sinks: every layer of a cache keeps its first and its last columns."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import excerpt, expect, expect_dtype, expect_something
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="evict_with_sinks",
    chapter="14_under_glass",
    title=Text(en="Keep the sinks", zh="留下汇点"),
    task=Text(
        en=r"""The cache of a model is a list, one `(keys, values, positions)` for each layer, of
shapes `(B, H, n, D)`, `(B, H, n, Dv)` and `(B, n)`. Return the cache after eviction: each layer
keeps its first `sinks` columns and its last `window`, in their order, each once; a layer with no
more columns than that keeps them all. `sinks` and `window` count columns, whatever positions are
stored; what is kept keeps its position. Layers may hold different numbers of columns $n$. Either
count may be 0, but not both.

Out: a list of the same form; the given cache and its tensors stay as they are.""",
        zh=r"""模型的缓存是一个列表，每层一个`(keys, values, positions)`，形状依次为`(B, H, n, D)`、
`(B, H, n, Dv)`、`(B, n)`。请返回驱逐之后的缓存：每层留下最前面的`sinks`列和最后的`window`列，
次序不变，每列只留一次；列数不超过两者之和的层全部留下。`sinks`和`window`数的是列，不管存的位置是多少；
留下的列位置不变。各层的列数$n$可以不同。两个数可以有一个为0，不会都是0。

输出：同样形式的列表；传入的缓存和里面的张量不能改动。""",
    ),
    signature="evict_with_sinks(cache, sinks, window) -> [(keys, values, positions), ...]",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="First for one layer: which columns stay for n = 10, sinks = 2, window = 3? For "
            "n = 4, sinks = 3, window = 3? For window = 0?",
            zh="先看一层：n = 10、sinks = 2、window = 3时留下哪些列？n = 4、sinks = 3、"
            "window = 3时呢？window = 0时呢？",
        ),
        Text(
            en="A condition on the number of the column says it for all of these: it is below "
            "`sinks`, or not below n − `window`.",
            zh="对列号写一个条件，这些情形就都对：小于`sinks`，或者不小于n − `window`。",
        ),
        Text(
            en="Columns are axis −2 of keys and values, and axis −1 of positions: "
            "`keys[:, :, stays]`, `positions[:, stays]`. Take n again in every layer.",
            zh="列在keys和values里是第−2轴，在positions里是第−1轴："
            "`keys[:, :, stays]`、`positions[:, stays]`。每一层都要重新取n。",
        ),
    ),
)

Layer = tuple[Tensor, Tensor, Tensor]
Chosen = Callable[[int, int, int], list[int]]  # columns, sinks, window → those that stay


def _columns(n: int, sinks: int, window: int) -> list[int]:
    return [c for c in range(n) if c < sinks or n - c <= window]


def _evicted(cache: list[Layer], sinks: int, window: int, columns_of: Chosen) -> list[Layer]:
    """Return every layer with the columns that are chosen for its length."""
    return [_select(layer, columns_of(layer[2].shape[1], sinks, window)) for layer in cache]


def _select(layer: Layer, columns: list[int]) -> Layer:
    at = torch.tensor(columns, dtype=torch.long)
    keys, values, positions = layer
    return keys[:, :, at], values[:, :, at], positions[:, at]


@exercise.truth
def layer_by_layer(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    """Return each layer's first and last columns."""
    return _evicted(cache, sinks, window, _columns)


def _cache(rng: torch.Generator, *columns: int, starts: int = 70_000) -> list[Layer]:
    """Return layers with so many columns, of rows whose positions begin and jump as they like."""
    batch, heads, dim = torch.randint(1, 4, (3,), generator=rng).tolist()
    cache = []
    for n in columns:
        keys = torch.randn(n, heads, batch, dim, generator=rng).permute(2, 1, 0, 3)
        values = torch.randn(batch, heads, n, dim + 2, generator=rng)
        steps = torch.randint(1, 5, (batch, n), generator=rng)
        start = torch.randint(starts, (batch, 1), generator=rng)
        cache.append((keys, values, start + steps.cumsum(1)))
    return cache


def _expect_cache(answer: Function, cache: list[Layer], sinks: int, window: int) -> None:
    got = answer(cache, sinks, window)
    expect_something(got)
    expect(
        isinstance(got, list | tuple) and len(got) == len(cache),
        f"expected a list of {len(cache)} layers, got {excerpt(type(got).__name__)}",
        f"应为{len(cache)}层的列表，得到的是{excerpt(type(got).__name__)}",
    )
    for mine, layer in zip(got, exercise.true_answer(cache, sinks, window), strict=True):
        expect(
            isinstance(mine, list | tuple) and len(mine) == 3,
            f"each layer is (keys, values, positions), got {excerpt(type(mine).__name__)}",
            f"每一层是(keys, values, positions)，得到的是{excerpt(type(mine).__name__)}",
        )
        for part, want in zip(mine, layer, strict=True):
            expect_dtype(expect_close(part, want, rtol=1e-6, atol=0), want.dtype)


@exercise.check(en="evicts from one layer that is long", zh="一层，列数多", weight=2)
def long_layer(answer: Function, rng: torch.Generator) -> None:
    more, sinks, window = torch.randint(1, 6, (3,), generator=rng).tolist()
    _expect_cache(answer, _cache(rng, 12, starts=1), 2, 3)  # positions near the columns' numbers
    for n, *counts in ((10, 2, 3), (sinks + window + more, sinks, window), (230, 4, 210)):
        _expect_cache(answer, _cache(rng, n), *counts)


@exercise.check(
    en="a layer that is short keeps all, once", zh="列数少的层全部留下，不重复", weight=2
)
def short_layer(answer: Function, rng: torch.Generator) -> None:
    for n, *counts in ((5, 3, 4), (4, 6, 2), (7, 2, 9), (6, 2, 4), (1, 1, 1), (3, 5, 7)):
        _expect_cache(answer, _cache(rng, n), *counts)


@exercise.check(en="no sinks, or no window", zh="没有汇点，或者没有窗口")
def one_part(answer: Function, rng: torch.Generator) -> None:
    for n, *counts in ((9, 3, 0), (9, 0, 4), (2, 5, 0), (2, 0, 5)):
        _expect_cache(answer, _cache(rng, n), *counts)


@exercise.check(en="layers of different lengths", zh="各层列数不同", weight=2)
def several_layers(answer: Function, rng: torch.Generator) -> None:
    short, long = torch.randint(2, 9, (2,), generator=rng).cumsum(0).tolist()
    for columns in ((short, 20 + long), (20 + long, short, 20), (12, 13, 14, 5)):
        _expect_cache(answer, _cache(rng, *columns), 2, 5)


@exercise.misconception(
    en="Sinks and window overlap in a short layer: columns in both were kept twice, and get twice "
    "their weight in the softmax.",
    zh="列数少的层里，汇点与窗口重叠：两边都有的列留了两次，在softmax里会得到双倍的权重。",
)
def overlap(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _evicted(cache, sinks, window, lambda n, s, w: [*range(n)[:s], *range(max(n - w, 0), n)])


@exercise.misconception(
    en="`[-0:]` is everything: without a window, the sinks alone should stay.",
    zh="`[-0:]`是全部：没有窗口时，应当只留汇点。",
)
def minus_zero(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    def columns_of(n: int, sinks: int, window: int) -> list[int]:
        if n <= sinks + window:
            return list(range(n))
        return [*range(n)[:sinks], *range(n)[-window:]]

    return _evicted(cache, sinks, window, columns_of)


@exercise.misconception(
    en="Without a window you keep every column: `[-0:]` is everything. The sinks alone should "
    "stay.",
    zh="没有窗口时，你把所有列都留下了：`[-0:]`就是全部。这时应当只留汇点。",
)
def minus_zero_once(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _evicted(cache, sinks, window, lambda n, s, w: _columns(n, s, w or n))


@exercise.misconception(
    en="You joined two slices, `[:sinks]` and `[-window:]`. In a short layer they overlap and "
    "columns are kept twice, and `[-0:]` is everything.",
    zh="你拼了两个切片，`[:sinks]`和`[-window:]`。列数少的层里两者重叠，有的列留了两次；"
    "而`[-0:]`是全部。",
)
def two_slices(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _evicted(cache, sinks, window, lambda n, s, w: [*range(n)[:s], *range(n)[-w:]])


@exercise.misconception(
    en="The sinks are gone: you kept the window alone. Many large models have come to need "
    "them (section 8.10).",
    zh="汇点没了：你只留了窗口。许多大模型离不开它们（8.10节）。",
)
def window_alone(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _evicted(cache, 0, window, _columns)


@exercise.misconception(
    en="You kept the last `sinks` + `window` columns. The sinks are the *first* ones.",
    zh="你留的是最后`sinks` + `window`列。汇点是*最前面*的几列。",
)
def last_ones(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _evicted(cache, 0, sinks + window, _columns)


@exercise.misconception(
    en="The window lacks a column: the first of its `window` columns is n − `window`, and that "
    "one stays too.",
    zh="窗口少了一列：`window`列里的第一列是n − `window`，含这一列。",
)
def one_short(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _evicted(cache, sinks, max(window - 1, 0), _columns)


@exercise.misconception(
    en="There is one sink too many: the first `sinks` columns are 0 to `sinks` − 1.",
    zh="汇点多了一个：最前面的`sinks`列是第0到第`sinks` − 1列。",
)
def one_sink_more(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _evicted(cache, sinks + 1, window, _columns)


@exercise.misconception(
    en="`window` was taken for the size of all that stays, sinks included. It counts the last "
    "columns alone.",
    zh="你把`window`当成了留下的总列数，汇点也算在内。它只数最后的那些列。",
)
def sinks_inside(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _evicted(cache, sinks, max(window - sinks, 0), _columns)


@exercise.misconception(
    en="You applied the first layer's columns to all. A layer of a different length has its "
    "window elsewhere: take n layer by layer.",
    zh="你把第一层该留的列用在了所有层上。列数不同的层，窗口不在那里：n要逐层取。",
)
def length_of_the_first(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    stays = torch.zeros(cache[0][2].shape[1], dtype=torch.bool)
    stays[_columns(len(stays), sinks, window)] = True
    return [(keys[:, :, stays], values[:, :, stays], at[:, stays]) for keys, values, at in cache]


@exercise.misconception(
    en="Only the keys were evicted. Values and positions of the columns that are gone must go too.",
    zh="只驱逐了键。列没有了，它的值和位置也要去掉。",
)
def keys_alone(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    layers = layer_by_layer(cache, sinks, window)
    return [(new[0], *old[1:]) for new, old in zip(layers, cache, strict=True)]


@exercise.misconception(
    en="The positions were left as long as they were: there should be one for each column that is "
    "kept.",
    zh="位置没有跟着减少：应当每个留下的列一个。",
)
def all_positions(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    layers = layer_by_layer(cache, sinks, window)
    return [(*new[:2], old[2]) for new, old in zip(layers, cache, strict=True)]


@exercise.misconception(
    en="You numbered the kept columns 0, 1, 2, …. Here they keep the positions that were stored: "
    "renumbering would go with turning the keys.",
    zh="你把留下的列重新编号为0、1、2……。这里要保留存着的位置：重新编号就得连键一起转。",
)
def renumbered(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    layers = layer_by_layer(cache, sinks, window)
    return [
        (keys, values, torch.arange(at.shape[1]).expand(at.shape)) for keys, values, at in layers
    ]


@exercise.misconception(
    en="You evicted from the first layer alone and left the others as they were.",
    zh="你只驱逐了第一层的列，其余的层原样留着。",
)
def first_layer_alone(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return [*layer_by_layer(cache[:1], sinks, window), *cache[1:]]


@exercise.misconception(
    en="You changed the given cache. Others may still read it, as another beam would: make a new "
    "list.",
    zh="你改动了传入的缓存。别处可能还在读它，比如另一个beam：要新建一个列表。",
)
def in_place(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    for number, layer in enumerate(layer_by_layer(cache, sinks, window)):
        cache[number] = layer
    return cache


BY_POSITION = Text(
    en="You chose what to keep by position. `sinks` and `window` count columns: in a row that "
    "begins elsewhere, or has gaps, positions say something else.",
    zh="你按位置来挑留下谁。`sinks`和`window`数的是列：位置不从0开始，或者有缺口时，两者不是一回事。",
)


def _where(stays: Callable[[Tensor], Tensor], cache: list[Layer]) -> list[Layer]:
    """Return the columns of each layer whose positions in row 0 say so."""
    columns = [stays(at[0]).nonzero().flatten().tolist() for _, _, at in cache]
    return [_select(layer, own) for layer, own in zip(cache, columns, strict=True)]


@exercise.misconception(en=BY_POSITION.en, zh=BY_POSITION.zh)
def by_position(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _where(lambda at: (at < sinks) | (at > at[-1] - window), cache)


@exercise.misconception(en=BY_POSITION.en, zh=BY_POSITION.zh)
def position_for_column(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return _where(lambda at: (at < sinks) | (at >= len(at) - window), cache)


@exercise.misconception(
    en="Only the first layer comes back: is the `return` inside the loop?",
    zh="只返回了第一层：`return`是不是写在循环里面了？",
)
def returned_too_early(cache: list[Layer], sinks: int, window: int) -> list[Layer]:
    return layer_by_layer(cache[:1], sinks, window)
