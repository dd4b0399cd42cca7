"""Exercise evict_and_shift: keep sinks and a window of rotated keys, and renumber them."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close
from bilingual import Text

exercise = Exercise(
    id="evict_and_shift",
    chapter="08_kv_cache",
    title=Text(en="Evict and shift", zh="驱逐并移位"),
    task=Text(
        en=r"""A cache holds rotated keys (half-split layout, as in 8.5) at `positions`, which may
have gaps. Keep the first `sinks` columns and the last `window`: each column at most once, and every
column if the cache is no longer than that. Number what is kept 0, 1, 2, … and turn every kept key,
once, so that it stands at its new number.

In: `keys` `(B, H, L, D)`, `positions` `(L,)`, int64, two counts (not both 0), `omega` `(D/2,)`.
Out: the tuple `(keys, positions)`, `(B, H, n, D)` and `(n,)`.""",
        zh=r"""缓存里是旋转过的键（前后半排布，同8.5节），位置为`positions`，可能有缺口。
留下前`sinks`列和后`window`列：
每列至多留一次，总列数不够就全留。把留下的依次编号为0、1、2……，并把每个键转一次，
让它站到新的编号上。

输入：`keys`，形状`(B, H, L, D)`；`positions`，形状`(L,)`，int64；两个个数（不同时为0）；
`omega`，形状`(D/2,)`。输出：元组`(keys, positions)`，形状为`(B, H, n, D)`和`(n,)`。""",
    ),
    signature="evict_and_shift(keys, positions, sinks, window, omega) -> (keys, positions)",
    points=4,
    difficulty=4,
    minutes=15,
    hints=(
        Text(
            en="A condition on the column number keeps each column once: the first `sinks`, or at "
            "least L − window. (Slices trip over `[-0:]` and over overlaps.)",
            zh="对列号写一个条件，每列就只留一次：小于`sinks`，或不小于L − window。"
            "（用切片会在`[-0:]`和重叠处摔跤。）",
        ),
        Text(
            en="A key at p has turned by pω. To stand at p′ it must turn by (p′ − p)ω more.",
            zh="位置p的键已经转了pω。要站到p′，还得再转(p′ − p)ω。",
        ),
        Text(
            en="`new = torch.arange(len(kept))`, `angles = (new - positions[kept])[:, None] * "
            "omega`, then the rotation of chapter 5 on `keys[:, :, kept]`.",
            zh="`new = torch.arange(len(kept))`，`angles = (new - positions[kept])[:, None] * "
            "omega`，再对`keys[:, :, kept]`做第5章的旋转。",
        ),
    ),
)


def _turn(x: Tensor, at: Tensor, omega: Tensor) -> Tensor:
    """Turn (B, H, L, D) at positions (L,) as complex numbers."""
    factor = torch.exp(1j * torch.outer(at.double(), omega.double()))
    turned = torch.complex(*x.double().chunk(2, dim=-1)) * factor
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


def _two(got: object) -> tuple[Tensor, Tensor]:
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "two things are asked: keys, positions",
        "要返回两样东西：keys、positions",
    )
    return got


OMEGA = torch.tensor([1.0, 0.1, 0.01])
CASES = ((10, 2, 3), (10, 0, 4), (10, 3, 0), (5, 4, 4), (6, 2, 9), (4, 6, 1))


def _case(rng: torch.Generator, length: int, start: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    plain = torch.randn(2, 3, length, 6, generator=rng)
    at = torch.arange(start, start + length)
    return plain, _turn(plain, at, OMEGA), at


def _kept(length: int, sinks: int, window: int) -> list[int]:
    return [c for c in range(length) if c < sinks or c >= length - window]


@exercise.check(en="numbers the kept columns 0, 1, 2, …", zh="留下的列编号为0、1、2……", weight=1)
def numbers(answer: Function, rng: torch.Generator) -> None:
    for length, sinks, window in CASES:
        _, keys, at = _case(rng, length, start=3)
        got, new = _two(answer(keys, at, sinks, window, OMEGA))
        expect_close(new, torch.arange(len(_kept(length, sinks, window))))
        expect_close(got.norm(dim=-1), keys[:, :, _kept(length, sinks, window)].norm(dim=-1))


@exercise.check(
    en="each kept key is the one that was rotated at its new number",
    zh="每个留下的键都等于按新编号旋转的键",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for length, sinks, window in CASES:
        plain, keys, at = _case(rng, length, start=3)
        kept = _kept(length, sinks, window)
        got, _ = _two(answer(keys, at, sinks, window, OMEGA))
        expect_close(got, _turn(plain[:, :, kept], torch.arange(len(kept)), OMEGA))


@exercise.check(
    en="goes by the stored positions, also when they have gaps",
    zh="按存着的位置来算，有缺口时也对",
    weight=2,
)
def gaps(answer: Function, rng: torch.Generator) -> None:
    plain, at = torch.randn(1, 2, 6, 6, generator=rng), torch.tensor([0, 1, 40, 41, 50, 51])
    got, _ = _two(answer(_turn(plain, at, OMEGA), at, 1, 3, OMEGA))
    expect_close(got, _turn(plain[:, :, [0, 3, 4, 5]], torch.arange(4), OMEGA))


def _columns(positions: Tensor, sinks: int, window: int) -> Tensor:
    return torch.tensor(_kept(len(positions), sinks, window), dtype=torch.long)


@exercise.misconception(
    en="The keys still stand where they stood: only the numbers changed. A query at the end of the "
    "cache then sees the kept words *ahead* of it.",
    zh="键还站在原处，只改了编号。这样，站在缓存末尾的查询会觉得留下的词在自己*前方*。",
)
def not_turned(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = _columns(positions, sinks, window)
    return keys[:, :, kept], torch.arange(len(kept))


@exercise.misconception(
    en="You turned by the new position, not by the difference: a key that had turned by p now "
    "stands at p + p′.",
    zh="你转的是新位置，不是差：已经转过p的键现在站在了p + p′。",
)
def turned_twice(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = _columns(positions, sinks, window)
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], new, omega), new


@exercise.misconception(
    en="You turned the wrong way, by old minus new: the keys stand at 2p − p′.",
    zh="你转反了方向，转的是旧减新：键站在了2p − p′。",
)
def wrong_way(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = _columns(positions, sinks, window)
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], positions[kept] - new, omega), new


@exercise.misconception(
    en="The sinks are gone: you kept the window alone. Trained models fall apart then "
    "(section 8.10).",
    zh="汇点没了：你只留了窗口。训练好的模型会因此崩溃（8.10节）。",
)
def window_alone(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = _columns(positions, 0, window)
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], new - positions[kept], omega), new


@exercise.misconception(
    en="You joined two slices, `[:sinks]` and `[-window:]`. They overlap in a short cache, which "
    "keeps some keys twice, and `[-0:]` is everything.",
    zh="你拼了两个切片，`[:sinks]`和`[-window:]`。缓存短时两者重叠，有的键会留两次；而`[-0:]`是全部。",
)
def two_slices(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = torch.cat((torch.arange(len(positions))[:sinks], torch.arange(len(positions))[-window:]))
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], new - positions[kept], omega), new


@exercise.misconception(
    en="You turned by new number minus *column*. A key stands where `positions` says, and the "
    "two differ where the cache has gaps or does not begin at 0.",
    zh="你转的是新编号减*列号*。键站在哪里要看`positions`；缓存有缺口或不从0开始时，两者不同。",
)
def from_columns(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = _columns(positions, sinks, window)
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], new - kept, omega), new


@exercise.misconception(
    en="The sinks and the window overlap in a short cache: a column in both was kept twice.",
    zh="缓存短时，汇点和窗口会重叠，两边都有的列被留了两次。",
)
def overlap(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    column = torch.arange(len(positions))
    kept = torch.cat((column[:sinks], column[max(len(column) - window, 0) :]))
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], new - positions[kept], omega), new


@exercise.misconception(
    en="The window is one column short. The last `window` columns begin at L − window, that one "
    "included: `>=`, not `>`.",
    zh="窗口少了一列。最后`window`列从L − window开始，含这一列：是`>=`，不是`>`。",
)
def one_short(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = _columns(positions, sinks, max(window - 1, 0))
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], new - positions[kept], omega), new


@exercise.misconception(
    en="You chose what to keep by position. `sinks` and `window` count *columns*, wherever these "
    "stand.",
    zh="你按位置来挑留下谁。`sinks`和`window`数的是*列*，不管列站在哪里。",
)
def chosen_by_position(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = torch.nonzero((positions < sinks) | (positions > positions[-1] - window)).flatten()
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], new - positions[kept], omega), new


@exercise.misconception(
    en="Only the window was turned. The sinks move too, unless they happen to stand at 0, 1, …: in "
    "a cache that begins elsewhere, or has gaps, they do not.",
    zh="只转了窗口里的键。汇点也要转，除非它们恰好站在0、1……：缓存不从0开始或有缺口时就不是。",
)
def sinks_left(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = _columns(positions, sinks, window)
    new = torch.arange(len(kept))
    return _turn(keys[:, :, kept], (new - positions[kept]) * (kept >= sinks), omega), new


@exercise.misconception(
    en="You paired channels 2i and 2i + 1, the interleaved layout. The cached keys are half-split: "
    "channels i and i + D/2 are a pair.",
    zh="你把通道2i与2i + 1当成一对，那是交错排布。缓存里的键是前后半排布：通道i与i + D/2为一对。",
)
def interleaved(
    keys: Tensor, positions: Tensor, sinks: int, window: int, omega: Tensor
) -> tuple[Tensor, Tensor]:
    kept = _columns(positions, sinks, window)
    new = torch.arange(len(kept))
    halves = keys[:, :, kept].unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
    pairs = _turn(halves, new - positions[kept], omega).chunk(2, dim=-1)
    return torch.stack(pairs, dim=-1).flatten(-2), new
