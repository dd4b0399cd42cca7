"""Exercise mend_double_rotation: rotated keys that are rotated once more at every step."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_double_rotation",
    chapter="08_kv_cache",
    title=Text(en="Fix: keys that run away", zh="改错：越跑越远的键"),
    task=Text(
        en=r"""Fix `rotates_what_it_reads`: return the cache after new keys came in. Cached keys
are rotated already (half-split layout); the new tokens are at `position`. Whatever was stored
must stay where it is.

In: `keys` `(B, H, L, D)`, rotated; `k` `(B, H, new, D)`, not rotated; `position` `(new,)`;
`omega` `(D/2,)`. Out: `(B, H, L + new, D)`, rotated.""",
        zh=r"""修好`rotates_what_it_reads`：新键到来之后，返回新的缓存。缓存的键已经旋转过（前后半排布），
新词元的位置是`position`。已存的键原来在哪个位置，就必须还在那个位置。

输入：`keys`，形状`(B, H, L, D)`，已旋转；`k`，形状`(B, H, new, D)`，未旋转；`position`，形状
`(new,)`；`omega`，形状`(D/2,)`。输出：`(B, H, L + new, D)`，已旋转。""",
    ),
    signature="mend_double_rotation(keys, k, position, omega) -> (B, H, L + new, D)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Turning by pω twice is turning by 2pω. Which keys has the broken code turned "
            "before?",
            zh="转两次pω就是转2pω。有错的代码里，哪些键以前已经转过？",
        ),
        Text(
            en="First rotate, then join: only the new keys go through the rotation.",
            zh="先旋转，后拼接：只有新键要旋转。",
        ),
        Text(
            en="`torch.cat((keys, turned(k)), dim=2)` with the angles `position[:, None] * omega`.",
            zh="`torch.cat((keys, turned(k)), dim=2)`，角度为`position[:, None] * omega`。",
        ),
    ),
)


@exercise.truth
def turn_then_join(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    """Return the cache as it is, and behind it the new keys, turned once."""
    return torch.cat((keys, _turn(k, position, omega)), 2)


def _turn(x: Tensor, at: Tensor, omega: Tensor) -> Tensor:
    turn = torch.exp(1j * torch.outer(at.double(), omega.double()))
    turned = torch.complex(*x.double().chunk(2, dim=-1)) * turn
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


def _case(rng: torch.Generator, length: int, new: int, half: int = 3) -> tuple[Tensor, ...]:
    """Return a cache and new keys, at positions beyond it and with gaps."""
    batch, heads = torch.randint(1, 4, (2,), generator=rng).tolist()
    keys = torch.randn(batch, length, heads, 2 * half, generator=rng).transpose(1, 2)
    k = torch.randn(batch, new, heads, 2 * half, generator=rng).transpose(1, 2)
    start = length if half > 1 else 30_000  # far away where ω = 1 alone: such angles are exact
    position = start + torch.randint(2, 8, (new,), generator=rng).cumsum(0)
    return keys, k, position, 50.0 ** (-torch.arange(half) / half)


@exercise.check(en="the new keys are behind the cached ones", zh="新键接在缓存的键后面")
def shape(answer: Function, rng: torch.Generator) -> None:
    keys, k, *rest = _case(rng, 4, 2)
    expect_shape(answer(keys, k, *rest), (*keys.shape[:2], 6, keys.shape[3]))


@exercise.check(
    en="cached keys are untouched, new ones turned once", zh="缓存的键不动，新键转一次", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    (length,) = torch.randint(3, 8, (1,), generator=rng).tolist()
    for sizes in ((length, 3, 1), (length, 1), (210 + length, 2), (1, 4, 2)):
        expect_agreement(answer, exercise.true_answer, *_case(rng, *sizes), atol=1e-4)


@exercise.check(
    en="after many steps every key is still at its own position",
    zh="走了许多步之后，每个键仍在自己的位置上",
    weight=2,
)
def many_steps(answer: Function, rng: torch.Generator) -> None:
    plain, omega = torch.randn(1, 2, 8, 6, generator=rng), torch.tensor([1.0, 0.1, 0.01])
    keys = plain[:, :, :1]  # position 0
    for t in range(1, 8):
        grown = answer(keys, plain[:, :, t : t + 1], torch.tensor([t]), omega)
        keys = expect_shape(grown, (1, 2, t + 1, 6)).detach()
    expect_close(keys, _turn(plain, torch.arange(8), omega))


@exercise.misconception(
    en="Still the broken version: all keys turn in every step, so a stored key moves on by p each "
    "time.",
    zh="还是有错的那个版本：每一步所有键都转一遍，存好的键每次又多转过p个位置。",
)
def unchanged(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    grown = torch.cat((keys, k), 2)
    start = int(position[0]) - keys.shape[2]
    return _turn(grown, torch.arange(start, start + grown.shape[2]), omega)


@exercise.misconception(
    en="The new key is stored as if it were at 0: it has to turn, by `position`.",
    zh="新键没有旋转就存了进去，好像位置是0：它要按`position`旋转。",
)
def nothing(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    return torch.cat((keys, k), 2)


@exercise.misconception(
    en="The wrong part turns: the cached keys were turned again and the new one was not.",
    zh="转错了对象：缓存的键又转了一遍，新键却没转。",
)
def the_old_ones(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    return torch.cat((_turn(keys, torch.arange(keys.shape[2]), omega), k), 2)


@exercise.misconception(
    en="The new keys turn by their column, not by `position`. After eviction the two differ.",
    zh="新键按列号旋转，没有用`position`。驱逐之后两者不同。",
)
def by_column(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    at = torch.arange(keys.shape[2], keys.shape[2] + k.shape[2])
    return torch.cat((keys, _turn(k, at, omega)), 2)


@exercise.misconception(
    en="All new keys turn by the first new position. Right for one new key, but of several each "
    "has a position of its own.",
    zh="所有新键都按第一个新位置转了。只来一个时没错，来几个的话，它们的位置依次递增。",
)
def first_position(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    return torch.cat((keys, _turn(k, position[:1].expand_as(position), omega)), 2)


@exercise.misconception(
    en="The new keys count on from the first of them, `position[0] + arange(new)`. Each has a "
    "position of its own, and after eviction or padding these have gaps.",
    zh="新键从第一个的位置起逐个加1，即`position[0] + arange(new)`。每个键有自己的位置，"
    "有驱逐或填充时，它们之间会有缺口。",
)
def on_from_the_first(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    at = position[0] + torch.arange(len(position))
    return torch.cat((keys, _turn(k, at, omega)), 2)


@exercise.misconception(
    en="You turned clockwise: in (a cos − b sin, a sin + b cos) the signs of the sines are "
    "exchanged. The cached keys have turned the other way.",
    zh="你转成了顺时针：(a cos − b sin, a sin + b cos)里两个sin的符号弄反了。"
    "缓存里的键是往另一个方向转的。",
)
def clockwise(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    return torch.cat((keys, _turn(k, -position, omega)), 2)


@exercise.misconception(
    en="You paired channels 2i and 2i + 1, the interleaved layout. The cached keys are half-split: "
    "channels i and i + D/2 are a pair.",
    zh="你把通道2i与2i + 1当成一对，那是交错排布。缓存里的键是前后半排布：通道i与i + D/2为一对。",
)
def interleaved(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    halves = k.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
    pairs = _turn(halves, position, omega).chunk(2, dim=-1)
    return torch.cat((keys, torch.stack(pairs, dim=-1).flatten(-2)), 2)


@exercise.misconception(
    en="The new keys come before the cached ones; columns are then no longer in the order of "
    "the text.",
    zh="新键接到了旧键的前面，列的次序就不再是文本的次序了。",
)
def in_front(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    return torch.cat((_turn(k, position, omega), keys), 2)


@exercise.misconception(
    en="The new keys are turned correctly, but the cached ones are turned once more, by their "
    "columns: a key of position p is now further on. Leave what is cached alone.",
    zh="新键转对了，但缓存的键又按列号转了一遍：位置p的键跑到了更远处。缓存里的不要动。",
)
def cached_again(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    again = _turn(keys, torch.arange(keys.shape[2]), omega)
    return torch.cat((again, _turn(k, position, omega)), 2)


@exercise.misconception(
    en="All keys are turned again, from 0 on, as if none had turned before and the text began "
    "with the first column. Stored keys have turned already; new ones turn by `position`.",
    zh="所有键都从0开始又转了一遍，好像以前没转过，文本也从第一列开始。存好的键已经转过；新"
    "键按`position`转。",
)
def all_from_zero(keys: Tensor, k: Tensor, position: Tensor, omega: Tensor) -> Tensor:
    grown = torch.cat((keys, k), 2)
    return _turn(grown, torch.arange(grown.shape[2]), omega)
