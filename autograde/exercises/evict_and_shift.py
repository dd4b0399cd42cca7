"""Exercise evict_and_shift: keep sinks and a window of rotated keys, and renumber them."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_dtype, expect_tensor
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="evict_and_shift",
    chapter="08_kv_cache",
    title=Text(en="Evict and shift", zh="驱逐并移位"),
    task=Text(
        en=r"""A cache holds rotated keys (half-split layout, as in 8.5) at `positions`, which
ascend and may have gaps. Keep the first `sinks` columns and the last `window`, each column at most
once; if the cache has no more than `sinks + window` columns, keep all of them. Number what is kept
0, 1, 2, … and turn every kept key, once, so that it is at its new number.

In: `keys` `(B, H, L, D)`, `positions` `(L,)`, int64; `sinks` and `window`, integers of at least
0, not both 0; `omega` `(D/2,)`. Out: `(keys, positions)`, `(B, H, n, D)` and `(n,)`, int64.""",
        zh=r"""缓存里是旋转过的键（前后半排布，同8.5节），位置为`positions`，从小到大，可能有缺口。
留下前`sinks`列和后`window`列，每列至多留一次；
缓存不超过`sinks + window`列时，全部留下。把留下的依次编号为0、1、2……，
并把留下的每个键转一次，让它移到新的编号上。

输入：`keys`，形状`(B, H, L, D)`；`positions`，形状`(L,)`，int64；`sinks`与`window`，
两个非负整数，不同时为0；`omega`，形状`(D/2,)`。
输出：`(keys, positions)`，形状为`(B, H, n, D)`和`(n,)`，后者为int64。""",
    ),
    signature="evict_and_shift(keys, positions, sinks, window, omega) -> (keys, positions)",
    points=4,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Write down which columns stay for L = 4, sinks = 3, window = 2, then for window = "
            "0. Do two slices give that? A condition on the column number does.",
            zh="写出L = 4、sinks = 3、window = 2时留下哪些列，再写window = 0时的。"
            "两个切片给得出来吗？对列号写一个条件就可以。",
        ),
        Text(
            en="A key at p has turned by pω. By how much more must it turn to be at p′? Which "
            "p is that, when the cache has gaps?",
            zh="位置p的键已经转了pω。要移到p′，还得再转多少？缓存有缺口时，p从哪里来？",
        ),
        Text(
            en="`new = torch.arange(len(columns))`, `angles = (new - positions[columns])[:, "
            "None] * "
            "omega`, then the rotation of chapter 5 on `keys[:, :, columns]`.",
            zh="`new = torch.arange(len(columns))`，`angles = (new - positions[columns])[:, "
            "None] * "
            "omega`，再对`keys[:, :, columns]`做第5章的旋转。",
        ),
    ),
)


@exercise.truth
def undo_and_turn(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the kept columns: turned back to 0, then turned to their numbers."""
    columns = _columns(positions, sinks, window)
    new = torch.arange(len(columns))
    return _turn(_turn(keys[:, :, columns], -positions[columns], omega), new, omega), new


def _turn(x: Tensor, at: Tensor, omega: Tensor) -> Tensor:
    """Turn (B, H, L, D) at positions (L,) as complex numbers."""
    factor = torch.exp(1j * torch.outer(at.double(), omega.double()))
    turned = torch.complex(*x.double().chunk(2, dim=-1)) * factor
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


def _columns(positions: Tensor, sinks: int, window: int) -> Tensor:
    length = len(positions)
    return torch.tensor([c for c in range(length) if c < sinks or c >= length - window])


def _two(got: object) -> tuple[Tensor, Tensor]:
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "it should return two tensors: keys, positions",
        "要返回两样东西：keys、positions",
    )
    return got


COUNTS = (  # columns, sinks, window
    (10, 2, 3),
    (10, 0, 4),
    (10, 3, 0),
    (5, 4, 4),
    (6, 2, 9),
    (4, 6, 1),
    (230, 4, 210),
    (1, 1, 1),
)


def _cases(rng: torch.Generator, steps: tuple[int, int]) -> list[tuple]:
    """Return a cache for each of the counts; from position to position it is one of the steps."""
    cases = []
    for length, sinks, window in COUNTS:
        batch, heads, half = torch.randint(1, 4, (3,), generator=rng).tolist()
        keys = torch.randn(batch, length, heads, 2 * half, generator=rng).transpose(1, 2)
        start = 2 if half > 1 else 30_000  # far away where ω = 1 alone: such angles are exact
        start = start if cases else 0  # the first begins at 1, a position below its 2 sinks
        positions = torch.randint(steps[0], steps[1] + 1, (length,), generator=rng).cumsum(0)
        omega = 50.0 ** (-torch.arange(half) / half)
        cases.append((keys, start + positions, sinks, window, omega))
    return cases


@exercise.check(
    en="numbers the kept columns 0, 1, 2, …, int64",
    zh="留下的列编号为0、1、2……，int64",
    weight=2,
)
def numbers(answer: Function, rng: torch.Generator) -> None:
    for inputs in _cases(rng, steps=(1, 1)):
        got, new = _two(answer(*inputs))
        keys, want = exercise.true_answer(*inputs)
        expect_dtype(expect_close(new, want), torch.int64)
        expect_close(expect_tensor(got).norm(dim=-1), keys.norm(dim=-1))


@exercise.check(
    en="each kept key equals one that was rotated at its new number",
    zh="每个留下的键都等于按新编号旋转的键",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for inputs in _cases(rng, steps=(1, 1)):
        expect_close(_two(answer(*inputs))[0], exercise.true_answer(*inputs)[0], atol=2e-4)


@exercise.check(
    en="goes by the stored positions, even when they have gaps",
    zh="按存着的位置来算，有缺口时也对",
    weight=2,
)
def gaps(answer: Function, rng: torch.Generator) -> None:
    for inputs in _cases(rng, steps=(2, 4)):
        expect_close(_two(answer(*inputs))[0], exercise.true_answer(*inputs)[0], atol=2e-4)


@exercise.misconception(
    en="The keys are still where they were: only the numbers changed. A query at the end of "
    "the cache then sees the tokens of the window *ahead* of it.",
    zh="键还在原处，只改了编号。这样，位于缓存末尾的查询会以为窗口里的词元在自己*之后*。",
)
def not_turned(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, window)
    return keys[:, :, columns], torch.arange(len(columns))


@exercise.misconception(
    en="You turned by the new position, not by the difference: a key that had turned by p now "
    "is at p + p′.",
    zh="你转的是新位置，不是差：已经转过p的键，现在到了p + p′。",
)
def turned_twice(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, window)
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new, omega), new


@exercise.misconception(
    en="You turned the wrong way, by old minus new: the keys are at 2p − p′.",
    zh="你转反了方向，转的是旧减新：键到了2p − p′。",
)
def wrong_way(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, window)
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], positions[columns] - new, omega), new


@exercise.misconception(
    en="The sinks are gone: you kept the window alone. A model that leans on its first tokens "
    "falls apart then (section 8.10).",
    zh="汇点没了：你只留了窗口。靠着开头几个词元的模型会因此崩溃（8.10节）。",
)
def window_alone(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, 0, window)
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - positions[columns], omega), new


@exercise.misconception(
    en="You joined two slices, `[:sinks]` and `[-window:]`. With `window` = 0 the second one is "
    "`[-0:]`, which is everything: count from the front, `[L - window:]`. (In a short cache the "
    "two overlap, and some keys are kept twice, unless you have seen to that.)",
    zh="你拼了两个切片，`[:sinks]`和`[-window:]`。`window`为0时，后一个是`[-0:]`，也就是全部："
    "要从前面数，写`[L - window:]`。（缓存短时两者还会重叠，有的键会留两次，除非你已另作处理。）",
)
def two_slices(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = torch.cat(
        (torch.arange(len(positions))[:sinks], torch.arange(len(positions))[-window:])
    )
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - positions[columns], omega), new


@exercise.misconception(
    en="You turned by new number minus *column*. A key is where `positions` says, and the "
    "two differ where the cache has gaps or does not begin at 0.",
    zh="你转的是新编号减*列号*。键的位置要看`positions`；缓存有缺口或不从0开始时，两者不同。",
)
def from_columns(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, window)
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - columns, omega), new


@exercise.misconception(
    en="The sinks and the window overlap in a short cache: a column in both was kept twice.",
    zh="缓存短时，汇点和窗口会重叠，两边都有的列被留了两次。",
)
def overlap(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    column = torch.arange(len(positions))
    columns = torch.cat((column[:sinks], column[max(len(column) - window, 0) :]))
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - positions[columns], omega), new


@exercise.misconception(
    en="The window is one column short. The last `window` columns begin at L − window, that one "
    "included: `>=`, not `>`.",
    zh="窗口少了一列。最后`window`列从L − window开始，含这一列：是`>=`，不是`>`。",
)
def one_short(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, max(window - 1, 0))
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - positions[columns], omega), new


@exercise.misconception(
    en="You chose what to keep by position. `sinks` and `window` count *columns*, wherever these "
    "are.",
    zh="你按位置来挑要留下的列。`sinks`和`window`数的是*列*，不管列的位置是多少。",
)
def chosen_by_position(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = torch.nonzero((positions < sinks) | (positions > positions[-1] - window)).flatten()
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - positions[columns], omega), new


@exercise.misconception(
    en="You chose sinks by position, `positions < sinks`. They are the first `sinks` *columns*: "
    "where the cache begins later than 0 or has gaps, your condition keeps fewer.",
    zh="你按位置挑汇点，写成了`positions < sinks`。汇点是前`sinks`*列*：缓存不从0开始，"
    "或汇点之间有缺口时，这个条件会少留几列。",
)
def sinks_by_position(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    in_window = torch.arange(len(positions)) >= len(positions) - window
    columns = torch.nonzero((positions < sinks) | in_window).flatten()
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - positions[columns], omega), new


@exercise.misconception(
    en="A cache of at most sinks + window columns comes back as it was. Nothing is evicted there, "
    "but it too is numbered 0, 1, 2, … and its keys turn: it need not begin at 0, and may have "
    "gaps.",
    zh="缓存不超过sinks + window列时，你原样返回了。这时虽然一列都不驱逐，但同样要编号为0、1、2……，"
    "并转动各个键：它不一定从0开始，中间也可能有缺口。",
)
def short_left_alone(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    if len(positions) <= sinks + window:
        return keys, positions
    return undo_and_turn(keys, positions, sinks, window, omega)


@exercise.misconception(
    en="Only the window was turned. The sinks move too, unless they happen to be at 0, 1, …: in a "
    "cache that begins elsewhere, or has gaps among them, they are not.",
    zh="只转了窗口里的键。汇点也要转，除非它们恰好位于0、1……："
    "缓存不从0开始或汇点之间有缺口时就不是。",
)
def sinks_left(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, window)
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], (new - positions[columns]) * (columns >= sinks), omega), new


@exercise.misconception(
    en="You paired channels 2i and 2i + 1, the interleaved layout. The cached keys are "
    "half-split: "
    "channels i and i + D/2 are a pair.",
    zh="你把通道2i与2i + 1当成一对，那是交错排布。缓存里的键是前后半排布：通道i与i + D/2为一对。",
)
def interleaved(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, window)
    new = torch.arange(len(columns))
    halves = keys[:, :, columns].unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
    pairs = _turn(halves, new - positions[columns], omega).chunk(2, dim=-1)
    return torch.stack(pairs, dim=-1).flatten(-2), new


@exercise.misconception(
    en="Both bounds are one off, `<=` and `>`: there is one sink too many, and the window lacks "
    "its first column.",
    zh="两个界限都差了1，写成了`<=`和`>`：汇点多了一个，窗口少了最前面的一列。",
)
def both_bounds_off(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks + 1, max(window - 1, 0))
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - positions[columns], omega), new


@exercise.misconception(
    en="The keys have moved, but you return their old positions: the next token would be placed, "
    "and turned, as if nothing had been evicted.",
    zh="键移动了，返回的却是旧位置：下一个词元会照旧位置来编号、来旋转，好像什么都没有驱逐。",
)
def old_positions(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, window)
    new = torch.arange(len(columns))
    return _turn(keys[:, :, columns], new - positions[columns], omega), positions[columns]


@exercise.misconception(
    en="You evicted, but neither turned the keys nor numbered them again: what is kept is still "
    "where it was, and the distances grow with the text.",
    zh="你只做了驱逐，既没有转键，也没有重新编号：留下的还在原处，距离会随文本一直变大。",
)
def only_evicts(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    columns = _columns(positions, sinks, window)
    return keys[:, :, columns], positions[columns]


@exercise.misconception(
    en="With `window` = 0 you keep everything: `[-0:]` is `[0:]`. Count from the front, from "
    "L − window on.",
    zh="`window`为0时，你把全部都留下了：`[-0:]`就是`[0:]`。要从前面数，从L − window开始取。",
)
def everything_for_no_window(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    return undo_and_turn(keys, positions, sinks, window or len(positions), omega)
